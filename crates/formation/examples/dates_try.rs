use recall::{Tense, date_in_talk};
fn main() {
    let today = jiff::civil::date(2026, 3, 4); // a Wednesday
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let mut f = line.split('|');
        let (lang, tense, want, text) = (f.next().unwrap(), f.next().unwrap(), f.next().unwrap(), f.next().unwrap());
        let tense = if tense == "p" { Tense::Past } else { Tense::Coming };
        let got = date_in_talk(text, lang, today, tense).map(|d| d.to_string()).unwrap_or("-".into());
        if got != want { println!("{lang} want {want} got {got}: {text}"); }
    }
}
