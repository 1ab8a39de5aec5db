//! Choices of which one usually takes the place of another: a table, and the look into it.

use std::collections::HashMap;
use std::sync::LazyLock;

use memory_text::stem::stem;

/// Things of which one has only one.
#[derive(Debug)]
pub(super) struct Rivals {
    /// What the choice is about.
    pub(super) about: &'static str,
    /// Even liking one of them is a choice: nobody likes dark and light mode.
    pub(super) is_strict: bool,
    words: &'static [&'static str],
}

/// Returns the rivals to which a stem belongs.
pub(super) fn rivals_of(word: &str) -> Option<&'static Rivals> {
    static BY_STEM: LazyLock<HashMap<String, &Rivals>> = LazyLock::new(|| {
        let words = RIVALS
            .iter()
            .flat_map(|rivals| rivals.words.iter().map(move |word| (word, rivals)));
        words
            .map(|(word, rivals)| (stem(word).into_owned(), rivals))
            .collect()
    });
    BY_STEM.get(word).copied()
}

const fn strict(about: &'static str, words: &'static [&'static str]) -> Rivals {
    Rivals {
        about,
        is_strict: true,
        words,
    }
}

const fn loose(about: &'static str, words: &'static [&'static str]) -> Rivals {
    Rivals {
        about,
        is_strict: false,
        words,
    }
}

const RIVALS: &[Rivals] = &[
    strict(
        "light and dark",
        &[
            "dark", "light", "深色", "浅色", "暗色", "亮色", "黑色", "白色", "夜间", "日间",
        ],
    ),
    strict("indentation", &["tab", "space", "制表符", "空格"]),
    strict(
        "length",
        &[
            "short", "long", "concise", "verbose", "brief", "detailed", "简短", "简洁", "详细",
            "冗长",
        ],
    ),
    strict("quotes", &["single", "double", "单引号", "双引号"]),
    strict(
        "units",
        &["metric", "imperial", "摄氏", "华氏", "公制", "英制"],
    ),
    loose(
        "the database",
        &[
            "postgresql",
            "postgres",
            "mysql",
            "mariadb",
            "sqlite",
            "mongodb",
            "oracle",
        ],
    ),
    loose("the package manager", &["npm", "yarn", "pnpm", "bun"]),
    loose(
        "the editor",
        &[
            "vim", "neovim", "emacs", "vscode", "helix", "nano", "sublime",
        ],
    ),
    loose("the API", &["rest", "graphql", "grpc", "soap"]),
    loose("the cloud", &["aws", "gcp", "azure", "阿里云", "腾讯云"]),
    loose("the front end", &["react", "vue", "angular", "svelte"]),
    loose("drinks", &["tea", "coffee", "茶", "咖啡", "绿茶", "红茶"]),
    loose(
        "the language of answers",
        &["chinese", "english", "中文", "英文", "英语", "汉语"],
    ),
    loose(
        "the time of day",
        &[
            "morning", "evening", "night", "早上", "晚上", "上午", "下午",
        ],
    ),
    loose("merging", &["merge", "rebase", "squash"]),
    loose("the repository", &["monorepo", "polyrepo", "multirepo"]),
    loose("the message queue", &["kafka", "rabbitmq", "nats"]),
    loose("the system", &["linux", "macos", "windows"]),
    loose("the shell", &["bash", "zsh", "fish"]),
    loose("the browser", &["firefox", "chrome", "safari", "edge"]),
];
