//! Embeds the sources of the web page (`web/`) in the program: a list of their names and contents, and a
//! version that changes whenever one of them does. The guide (`docs/`) is embedded the same way.

use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// The folders, seen from the crate. Cargo and the generated code are given them in this form: two clones may share a build
/// cache, and a whole path would let the second embed the files of the first.
const WEB: &str = "../../web";
const DOCS: &str = "../../docs";

fn main() -> Result<(), Box<dyn Error>> {
    let web = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join(WEB).canonicalize()?;
    println!("cargo::rerun-if-changed={WEB}");
    let mut files = Vec::new();
    gather(&web, &mut files)?;
    files.sort();
    let (mut list, mut all) = (String::new(), DefaultHasher::new());
    for file in &files {
        let name = file.strip_prefix(&web)?.to_string_lossy().replace('\\', "/");
        (&name, fs::read(file)?).hash(&mut all);
        writeln!(list, "    ({name:?}, {}),", contents(WEB, &name))?;
    }
    let text = format!(
        "/// The sources of the page, by name.\nconst FILES: &[(&str, &[u8])] = &[\n{list}];\n\
         /// Names all of them together.\nconst VERSION: &str = \"{:016x}\";\n",
        all.finish()
    );
    fs::write(Path::new(&std::env::var("OUT_DIR")?).join("web.rs"), text)?;
    put_guide()
}

/// The parts of `docs/` that are served: the pages for users and their pictures. Error pages are embedded
/// elsewhere, and decisions and formats are for readers of the sources.
const GUIDE: [(&str, &str); 3] = [("", "md"), ("guides", "md"), ("pictures", "png")];

fn put_guide() -> Result<(), Box<dyn Error>> {
    let docs = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join(DOCS).canonicalize()?;
    let mut files = Vec::new();
    for (folder, extension) in GUIDE {
        println!("cargo::rerun-if-changed={DOCS}/{folder}");
        let folder = docs.join(folder);
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|own| own == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut list = String::new();
    for file in &files {
        let name = file.strip_prefix(&docs)?.to_string_lossy().replace('\\', "/");
        writeln!(list, "    ({name:?}, {}),", contents(DOCS, &name))?;
    }
    let text = format!(
        "/// The pages of the guide and their pictures, by name.\nconst FILES: &[(&str, &[u8])] = &[\n{list}];\n"
    );
    fs::write(Path::new(&std::env::var("OUT_DIR")?).join("guide.rs"), text)?;
    Ok(())
}

/// The expression that embeds a file, found from wherever the crate lies when it is compiled.
fn contents(folder: &str, name: &str) -> String {
    let path = format!("/{folder}/{name}");
    format!("include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?}))")
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, files)?;
        } else if !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
            files.push(path);
        }
    }
    Ok(())
}
