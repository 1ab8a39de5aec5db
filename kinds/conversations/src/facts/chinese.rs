//! Chinese clauses that tell something about their writer: 我叫, 我喜欢, 我有, 我在…工作, 我住在, 我打算.

use memory_steps::count;

/// What may stand before the writer comes to the point.
const FILLERS: [&str; 10] = [
    "请记住",
    "记住",
    "顺便说一下",
    "对了",
    "其实",
    "你好",
    "另外",
    "还有",
    "而且",
    "但是",
];

/// What follows 我 when it tells something that lasts.
const VERBS: [&str; 48] = [
    "叫",
    "姓",
    "是",
    "喜欢",
    "最喜欢",
    "很喜欢",
    "非常喜欢",
    "爱",
    "热爱",
    "讨厌",
    "恨",
    "不喜欢",
    "不爱",
    "不吃",
    "不喝",
    "不用",
    "有",
    "没有",
    "养了",
    "养",
    "住在",
    "住",
    "来自",
    "出生",
    "搬到",
    "搬去",
    "搬家",
    "在",
    "对",
    "打算",
    "计划",
    "准备",
    "想去",
    "想学",
    "想要",
    "要去",
    "会说",
    "会弹",
    "今年",
    "已经",
    "正在学",
    "毕业",
    "习惯",
    "偏好",
    "更喜欢",
    "不再",
    "将",
    "结婚",
];

/// What asks for something now and tells nothing that lasts.
const REQUESTS: [&str; 16] = [
    "想问",
    "想知道",
    "有个问题",
    "有一个问题",
    "有问题",
    "有点",
    "是说",
    "是想",
    "要你",
    "需要你",
    "想要你",
    "在想",
    "在问",
    "在用这",
    "对此",
    "对这",
];

/// Those who belong to the writer without 的 between.
const KIN: [&str; 22] = [
    "老婆",
    "妻子",
    "老公",
    "丈夫",
    "妈妈",
    "爸爸",
    "母亲",
    "父亲",
    "儿子",
    "女儿",
    "哥哥",
    "弟弟",
    "姐姐",
    "妹妹",
    "女朋友",
    "男朋友",
    "爱人",
    "朋友",
    "老板",
    "同事",
    "孩子",
    "家",
];

/// Returns what a clause tells about its writer, if it does.
pub(super) fn fact(clause: &str) -> Option<String> {
    let clause = point(clause);
    let rest = clause.strip_prefix('我')?.trim_start();
    let is_request = REQUESTS.iter().any(|request| rest.starts_with(request));
    if is_request || rest.starts_with('们') {
        return None;
    }
    if let Some(owned) = rest.strip_prefix('的') {
        let tells = ["是", "叫", "在", "有", "喜欢", "住", "为"]
            .iter()
            .any(|verb| owned.contains(verb));
        let is_passing = ["问题", "代码", "意思", "程序"]
            .iter()
            .any(|word| owned.starts_with(word));
        return (tells && !is_passing).then(|| format!("用户的{}", seen(owned)));
    }
    let is_kin = KIN
        .iter()
        .any(|kin| rest.starts_with(kin) && rest.chars().count() > kin.chars().count());
    if is_kin {
        return Some(format!("用户的{}", seen(rest)));
    }
    let verb = VERBS
        .iter()
        .filter(|verb| rest.starts_with(**verb))
        .max_by_key(|verb| verb.len())?;
    (rest.chars().count() > verb.chars().count()).then(|| format!("用户{}", seen(rest)))
}

fn point(clause: &str) -> &str {
    let mut rest = clause.trim();
    while let Some(after) = FILLERS.iter().find_map(|filler| rest.strip_prefix(filler)) {
        count(1);
        rest = after.trim_start_matches(['，', ',', '：', ':', ' ']);
    }
    rest
}

/// Seen from outside: 我 becomes 自己.
fn seen(rest: &str) -> String {
    rest.trim().replace('我', "自己")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_likes_has_works_lives_plans() {
        for (clause, expected) in [
            ("我叫小明", "用户叫小明"),
            ("我喜欢我的狗", "用户喜欢自己的狗"),
            ("我不喜欢香菜", "用户不喜欢香菜"),
            ("我有两只猫", "用户有两只猫"),
            ("我在腾讯工作", "用户在腾讯工作"),
            ("对了，我住在北京", "用户住在北京"),
            ("我打算下个月去东京", "用户打算下个月去东京"),
            ("我对花生过敏", "用户对花生过敏"),
            ("我老婆叫小红", "用户的老婆叫小红"),
            ("我的生日是6月5日", "用户的生日是6月5日"),
        ] {
            assert_eq!(fact(clause).as_deref(), Some(expected));
        }
    }

    #[test]
    fn requests_tell_nothing() {
        for clause in [
            "我想问一下",
            "我有个问题",
            "我要你写诗",
            "帮我写代码",
            "我的代码有错",
            "今天天气好",
            "我",
        ] {
            assert_eq!(fact(clause), None, "{clause}");
        }
    }
}
