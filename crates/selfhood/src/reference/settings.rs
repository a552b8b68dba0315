//! `docs/configuration.md`: every setting with its flag, its environment variables and its default.

use std::fmt::Write as _;

use super::cell;
use crate::config::described;

const HEAD: &str = "\
# Configuration

<!-- Written by a test from the catalogue of settings; don't edit it by hand. -->

A flag overrides the environment, the environment the home's `.env`, that the home's `selfhood.toml`, and that the default. `selfhood config show --origin` shows each value and its origin. A misspelt setting is refused with its line. `selfhood serve --check` checks all settings and starts nothing.

A setting's name is also its place in `selfhood.toml`: `server.port` is `port` under `[server]`.

```toml
[server]
port = 7337

[models.local]
kind = \"openai\"
base_url = \"http://127.0.0.1:11434/v1\"
model = \"llama3.2\"

[roles.chat]
model = \"local\"
```

What may stand under `[models.NAME]` and `[roles.NAME]` is in [models.md](models.md).
";

pub(super) fn page() -> String {
    let mut page = HEAD.to_owned();
    let mut section = String::new();
    for setting in described::all() {
        let (own, _) = setting.key.split_once('.').unwrap_or(("outside the file", ""));
        if own != section {
            own.clone_into(&mut section);
            let _ = writeln!(
                page,
                "\n## {section}\n\n| setting | flag, environment | default | means |\n|---|---|---|---|"
            );
        }
        let flag = setting.flag.map(|flag| format!("`{flag}`"));
        let names = flag.into_iter().chain(setting.environment.iter().map(|name| format!("`{name}`")));
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} |",
            setting.key,
            names.collect::<Vec<_>>().join(", "),
            cell(&setting.default),
            cell(setting.means)
        );
    }
    page
}
