//! The words that near duplicates are judged by: tables and nothing else.

/// Words that can be left out without a loss.
pub(super) const FILLERS: &str = "\
    the an and is are please kindly simply actually basically also indeed really very";

/// Words that an "a" is no article before: "plan A is ready".
pub(super) const AFTER_NAMES: &str = "\
    is are was were has had and or to in on at for of with will can must should not by from then as";

/// Words after which a mark of punctuation may turn the sense, as in "No, use it".
pub(super) const NEGATIONS: &str = "\
    not no never none nobody nothing nowhere neither nor without non stop avoid refuse deny reject \
    except unless hardly rarely seldom instead quit cease lack fail yes only";

/// Words that lean on what stands before or after, so that clauses must stay where they are.
pub(super) const LEANING: &str = "\
    he she it they him her them his hers its their theirs this that these those who which whose former \
    latter same such one then first second third last next finally later afterwards again before after \
    otherwise else so therefore thus hence step order respectively above below following previous \
    previously now until there here likewise too both other others another";

/// Words of a clause that tells how things are and not what is done next.
pub(super) const STATES: &str = "\
    is are am was were have has prefers prefer likes like loves love hates hate dislikes dislike wants \
    want needs need uses use lives live works work knows know speaks speak owns own should must always \
    never not usually often enjoys enjoy manages leads belongs means requires supports contains allergic \
    believes avoids avoid";

/// Words that mean something else with a capital letter: "ship to US", "ask Will".
pub(super) const HOMOGRAPHS: &str = "\
    us it who may will can am march mark bill turkey china polish apple windows amazon a or in no so \
    hope grace rose jack august frank pat sue drew";

/// Words that are no names although they begin a sentence; their plural is only a plural.
pub(super) const COMMON: &str = "\
    user developer customer client team test commit file use prefer like love hate want need run work \
    live project server service note meeting release build deployment branch error log message answer \
    comment review task reminder change database backup password token key cat dog child colleague \
    manager dislike enjoy keep write variable function module name color setting migration query email";

pub(super) fn is_negating_sign(sign: char) -> bool {
    matches!(
        sign,
        '不' | '没'
            | '别'
            | '未'
            | '无'
            | '非'
            | '勿'
            | '莫'
            | '禁'
            | '否'
            | '甭'
            | '毋'
            | '停'
            | '只'
    )
}

/// Signs of the same kind: 他, 这, 先, 再, 然后, 第一, 否则, 因此.
pub(super) fn sign_leans(sign: char) -> bool {
    #[rustfmt::skip]
    let leans = matches!(sign,
        '他' | '她' | '它' | '这' | '那' | '其' | '该' | '此' | '先' | '再' | '然' | '接' | '随' | '后' | '前' | '首'
        | '第' | '否' | '因' | '所' | '于' | '同' | '另' | '又' | '才' | '就' | '步' | '序' | '者' | '到' | '去');
    leans
}

pub(super) fn sign_tells_a_state(sign: char) -> bool {
    #[rustfmt::skip]
    let tells = matches!(sign,
        '喜' | '爱' | '厌' | '偏' | '惯' | '是' | '有' | '在' | '用' | '想' | '要' | '需' | '必' | '应' | '总' | '不'
        | '没' | '别' | '住' | '会' | '叫' | '属' | '负' | '擅' | '恨' | '怕');
    tells
}

/// Chinese fillers.
pub(super) fn is_filling_sign(sign: char) -> bool {
    matches!(sign, '啊' | '呀' | '哦' | '啦' | '嘛' | '很')
}

/// What 的 may be left out after: "用户的偏好" is "用户偏好", but "他写的代码" is not "他写代码".
pub(super) const OWNERS: &[&str] = &[
    "用户", "我", "你", "他", "她", "们", "项目", "公司", "团队", "系统", "色", "默认", "客户",
];

/// "one" is left out: it is a pronoun as often as a number.
pub(super) fn number(word: &str) -> Option<&'static str> {
    Some(match word {
        "two" => "2",
        "three" => "3",
        "four" => "4",
        "five" => "5",
        "six" => "6",
        "seven" => "7",
        "eight" => "8",
        "nine" => "9",
        "ten" => "10",
        "eleven" => "11",
        "twelve" => "12",
        _ => return None,
    })
}

/// Contractions that follow no rule, or lack their apostrophe.
pub(super) fn contraction(word: &str) -> Option<(&'static str, &'static str)> {
    Some(match word {
        "can't" | "cannot" | "cant" => ("can", "not"),
        "won't" => ("will", "not"),
        "shan't" => ("shall", "not"),
        "don't" | "dont" => ("do", "not"),
        "doesnt" => ("does", "not"),
        "didnt" => ("did", "not"),
        "isnt" => ("is", "not"),
        "arent" => ("are", "not"),
        "let's" => ("let", "us"),
        _ => return None,
    })
}
