//! A tab of a real browser, and the few things people do in one.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::{Value, json};

use crate::driver::Driver;

/// How long anything may take to show, on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(40);
const PAUSE: Duration = Duration::from_millis(60);
/// The keys that have no letter, as the driver names them.
pub(crate) const ENTER: &str = "\u{e007}";
pub(crate) const TAB: &str = "\u{e004}";
pub(crate) const CONTROL: &str = "\u{e009}";
pub(crate) const SHIFT: &str = "\u{e008}";
pub(crate) const ESCAPE: &str = "\u{e00c}";
pub(crate) const ARROW_LEFT: &str = "\u{e012}";
pub(crate) const ARROW_RIGHT: &str = "\u{e014}";

/// What one looks at the page with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Device {
    /// A wide screen with a mouse.
    Desk,
    /// One in between, under a thumb.
    Tablet,
    /// A narrow one under a thumb.
    Phone,
}

pub(crate) struct Tab {
    driver: Driver,
    url: String,
}

impl Tab {
    /// A browser whose profile and downloads are below `folder`.
    pub(crate) fn open(url: &str, folder: &Path, device: Device) -> Self {
        static OPENED: AtomicUsize = AtomicUsize::new(0);
        let profile = folder.join(format!("profile-{}", OPENED.fetch_add(1, Ordering::Relaxed)));
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1280,900",
            &format!("--user-data-dir={}", profile.display()),
        ];
        let mut options = json!({
            "args": arguments,
            "prefs": { "download.default_directory": folder.join("downloads"), "download.prompt_for_download": false },
        });
        if device != Device::Desk {
            let (width, height) = if device == Device::Phone { (390, 844) } else { (820, 1180) };
            let metrics = json!({ "width": width, "height": height, "pixelRatio": 2, "touch": true });
            options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
        }
        let wanted = json!({ "goog:chromeOptions": options, "unhandledPromptBehavior": "ignore" });
        Self { driver: Driver::start(&wanted), url: url.to_owned() }
    }

    /// Opens a whole address.
    pub(crate) fn goto(&self, address: &str) {
        self.driver.ask("POST", "/url", &json!({ "url": address })).unwrap();
    }

    /// Opens a place of the page, and waits until its heading is there.
    pub(crate) fn visit(&self, place: &str) {
        self.goto(&format!("{}{place}", self.url));
        self.until("return !!document.querySelector('main h1') && !document.querySelector('.wait')");
    }

    /// Runs a script in the page.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.execute("sync", script, &[])
    }

    /// Waits until a script says yes.
    pub(crate) fn until(&self, script: &str) {
        self.until_within(PATIENCE, script);
    }

    /// Waits so long at most until a script says yes.
    pub(crate) fn until_within(&self, patience: Duration, script: &str) {
        let begun = Instant::now();
        while !self.run(script).as_bool().unwrap_or(false) {
            if begun.elapsed() > patience {
                let shown = self.run("return location.href + '\\n' + document.body.innerText.slice(0, 1500)");
                panic!("waited in vain for: {script}\n{}", shown.as_str().unwrap_or_default());
            }
            sleep(PAUSE);
        }
    }

    /// Waits until the page says `text` somewhere a reader would see it.
    pub(crate) fn reads(&self, text: &str) {
        self.until(&format!("return document.body.innerText.includes({})", json!(text)));
    }

    /// The text of the first element that fits.
    pub(crate) fn text(&self, selector: &str) -> String {
        self.see(selector);
        let found = self.run(&format!("return document.querySelector({}).innerText", json!(selector)));
        found.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until something fits the selector.
    pub(crate) fn see(&self, selector: &str) {
        self.until(&format!("return !!document.querySelector({})", json!(selector)));
    }

    /// Presses the element that fits, as a mouse would.
    pub(crate) fn press(&self, selector: &str) {
        self.on(selector, |element| {
            self.driver.ask("POST", &format!("/element/{element}/click"), &json!({})).map(drop)
        });
    }

    /// Acts on the element that fits. When the page was drawn anew meanwhile, it is looked for again.
    fn on(&self, selector: &str, act: impl Fn(&str) -> Result<(), String>) {
        self.see(selector);
        for _ in 0..20 {
            match self.driver.element(selector).and_then(|element| act(&element)) {
                Err(error) if error.contains("stale element") => {
                    sleep(Duration::from_millis(50));
                }
                done => return done.unwrap_or_else(|error| panic!("{selector}: {error}")),
            }
        }
        panic!("{selector} was drawn anew again and again");
    }

    /// Presses the button or link that says exactly `text`, inside of whatever fits `inside`.
    pub(crate) fn press_text(&self, inside: &str, text: &str) {
        let found = format!(
            "const inside = [...document.querySelectorAll({})].at(-1); \
             const found = inside && [...inside.querySelectorAll('button, a, summary')].find((it) => it.innerText.trim() === {}); \
             found?.click(); return !!found",
            json!(inside),
            json!(text)
        );
        self.until(&found);
    }

    /// Types into a field, in place of what was there.
    pub(crate) fn fill(&self, selector: &str, text: &str) {
        // Older drivers can't type what needs two units of UTF-16, such as an emoji.
        if text.chars().any(|letter| letter.len_utf16() > 1) {
            self.see(selector);
            let (selector, text) = (json!(selector), json!(text));
            self.run(&format!(
                "const field = document.querySelector({selector}); field.value = {text}; \
                 field.dispatchEvent(new Event('input', {{ bubbles: true }}))"
            ));
            return;
        }
        self.on(selector, |field| {
            self.driver.ask("POST", &format!("/element/{field}/clear"), &json!({}))?;
            let typed = json!({ "text": text });
            self.driver.ask("POST", &format!("/element/{field}/value"), &typed).map(drop)
        });
    }

    /// Hands a file to the field that takes one.
    pub(crate) fn choose_file(&self, selector: &str, path: &Path) {
        self.on(selector, |field| {
            let chosen = json!({ "text": path });
            self.driver.ask("POST", &format!("/element/{field}/value"), &chosen).map(drop)
        });
    }

    /// Presses keys, wherever the focus is; a [`CONTROL`] or [`SHIFT`] at the beginning is held until the end.
    pub(crate) fn keys(&self, keys: &str) {
        let control = [CONTROL, SHIFT].into_iter().find(|held| keys.starts_with(held));
        let held = control.map(|key| json!({ "type": "keyDown", "value": key }));
        let released = control.map(|key| json!({ "type": "keyUp", "value": key }));
        let pressed = keys.chars().skip(usize::from(control.is_some())).flat_map(|key| {
            let key = key.to_string();
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        });
        let actions: Vec<Value> = held.into_iter().chain(pressed).chain(released).collect();
        let board = json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] });
        self.driver.ask("POST", "/actions", &board).unwrap();
    }

    fn execute(&self, how: &str, script: &str, arguments: &[Value]) -> Value {
        let asked = json!({ "script": script, "args": arguments });
        self.driver.ask("POST", &format!("/execute/{how}"), &asked).unwrap()
    }

    /// Runs a script that hands its result to its last argument when it has it.
    pub(crate) fn wait_for(&self, script: &str) -> Value {
        self.execute("async", script, &[])
    }

    /// The window that is looked at.
    pub(crate) fn window(&self) -> String {
        self.driver.ask("GET", "/window", &Value::Null).unwrap().as_str().unwrap().to_owned()
    }

    /// Opens another tab of the same browser and looks at it.
    pub(crate) fn new_window(&self) -> String {
        let made = self.driver.ask("POST", "/window/new", &json!({ "type": "tab" })).unwrap();
        let window = made["handle"].as_str().unwrap().to_owned();
        self.switch_to(&window);
        window
    }

    pub(crate) fn switch_to(&self, window: &str) {
        self.driver.ask("POST", "/window", &json!({ "handle": window })).unwrap();
    }

    /// Asks the API as the page would, and gives the answer's status and JSON.
    pub(crate) fn api(&self, method: &str, path: &str, body: impl Into<Option<Value>>) -> (u64, Value) {
        let script = "const [method, path, body, done] = arguments; \
            fetch(path, { method, headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }, body: body === null || method === 'GET' ? undefined : JSON.stringify(body) }) \
            .then(async (answer) => done([answer.status, answer.status === 204 ? null : await answer.json()]), (error) => done([0, String(error)]))";
        let answer = self.execute("async", script, &[json!(method), json!(path), json!(body.into())]);
        (answer[0].as_u64().unwrap(), answer[1].clone())
    }

    /// Chooses the colours for whatever is opened next.
    pub(crate) fn theme(&self, theme: &str) {
        self.run(&format!("localStorage.setItem('selfhood.theme', JSON.stringify({}))", json!(theme)));
    }

    /// Lets the browser load everything again, as if it had never been here.
    pub(crate) fn empty_cache(&self) {
        let asked = json!({ "cmd": "Network.clearBrowserCache", "params": {} });
        self.driver.ask("POST", "/goog/cdp/execute", &asked).unwrap();
    }

    /// Runs a script in every page that is opened from now on, before anything of the page.
    pub(crate) fn before_each_page(&self, script: &str) {
        let asked = json!({ "cmd": "Page.addScriptToEvaluateOnNewDocument", "params": { "source": script } });
        self.driver.ask("POST", "/goog/cdp/execute", &asked).unwrap();
    }

    /// Goes back, as the button of the browser does.
    pub(crate) fn back(&self) {
        self.driver.ask("POST", "/back", &json!({})).unwrap();
    }

    /// Whether a dialog of the browser is open.
    pub(crate) fn has_dialog(&self) -> bool {
        self.driver.ask("GET", "/alert/text", &Value::Null).is_ok()
    }

    /// What axe finds wrong, in words.
    pub(crate) fn violations(&self) -> Vec<String> {
        self.run(axe());
        let script = "const done = arguments[0]; axe.run(document, { resultTypes: ['violations'] }).then((found) => done(found.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)} ${node.failureSummary}`))), (error) => done([String(error)]))";
        let found = self.execute("async", script, &[]);
        found.as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned()).collect()
    }

    /// A picture of what is shown, if somebody wants pictures.
    pub(crate) fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("SELFHOOD_PICTURES") else { return };
        let picture = self.driver.ask("GET", "/screenshot", &Value::Null).unwrap();
        let picture = base64::engine::general_purpose::STANDARD.decode(picture.as_str().unwrap()).unwrap();
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), picture).unwrap();
    }
}

/// What looks for barriers, from the place where `cargo xtask browser` put it.
fn axe() -> &'static str {
    static AXE: OnceLock<String> = OnceLock::new();
    AXE.get_or_init(|| {
        let home = std::env::var("XDG_CACHE_HOME")
            .unwrap_or_else(|_| format!("{}/.cache", std::env::var("HOME").unwrap()));
        let path = Path::new(&home)
            .join("selfhood")
            .join("axe-core@4.14.0")
            .join("node_modules/axe-core/axe.min.js");
        std::fs::read_to_string(&path)
            .unwrap_or_else(|_| panic!("{} is missing; `cargo xtask browser` installs it", path.display()))
    })
}
