use std::fs;

use domain::Text;
use vault::randomness::SeededRandomness;

use super::compiled_needles::CHUNK;
use super::needle::forms_of;
use super::*;

const NAME: &str = "Ánna \"Ana\" Popescu";

fn words(text: &str) -> SearchTarget {
    SearchTarget::Words(Text::new(text))
}

fn needles(text: &str) -> CompiledNeedles {
    CompiledNeedles::of(&[words(text)]).unwrap()
}

fn caught(needles: &CompiledNeedles, bytes: &[u8]) -> StreamHits {
    needles.read(bytes, Wording::AsItLooks, &mut |_| ()).unwrap()
}

struct Yard(tempfile::TempDir);

impl Yard {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let yard = tempfile::tempdir().unwrap();
        for folder in ["home/scott/persona/nora/sessions", "keys", "temp"] {
            fs::create_dir_all(yard.path().join(folder)).unwrap();
        }
        for (name, content) in files {
            fs::write(yard.path().join(name), content).unwrap();
        }
        Self(yard)
    }

    fn grounds(&self) -> ScanRoots {
        let path = self.0.path();
        ScanRoots::of_home(&path.join("home"), &path.join("keys")).and_temp(&path.join("temp"))
    }

    fn spot_of(&self, name: &str) -> ScanFile {
        let (path, root) = (self.0.path().join(name), self.0.path().to_owned());
        ScanFile { path, name: name.to_owned(), root, place: "keys", wording: Wording::Bytes, bytes: 0 }
    }

    fn scan(&self, text: &str) -> Residue {
        scan(&self.grounds(), &[words(text)], &SeededRandomness::new(1), |_| ()).unwrap()
    }
}

#[test]
fn every_form_is_found_wherever_the_border_of_two_chunks_falls() {
    let needles = needles(NAME);
    for (form, bytes) in forms_of(NAME) {
        for before in [0, 1, CHUNK - bytes.len(), CHUNK - bytes.len() / 2, CHUNK - 1, CHUNK, 2 * CHUNK - 3] {
            let mut stream = vec![b'.'; before];
            stream.extend_from_slice(&bytes);
            stream.extend_from_slice(&[b'.'; 100]);
            assert_eq!(caught(&needles, &stream).hits, 1, "{form} at {before}");
        }
    }
}

#[test]
fn all_twelve_forms_of_a_text_are_distinguished() {
    let needles = needles(NAME);
    let stream: Vec<u8> =
        forms_of(NAME).into_iter().flat_map(|(_, bytes)| [bytes, vec![b'\n']].concat()).collect();
    let found = caught(&needles, &stream).forms;
    assert_eq!(found, Form::OF_WORDS.into_iter().collect());
}

#[test]
fn base64_is_found_whatever_stands_around_the_words() {
    let needles = needles("popescu@example.org");
    for before in ["", "x", "xy", "xyz", "xyzw"] {
        for after in ["", "1", "22", "333"] {
            let inside = format!("{before}popescu@example.org{after}");
            let encoded = vault::encoding::base64_standard(inside.as_bytes());
            assert_eq!(caught(&needles, encoded.as_bytes()).hits, 1, "{before}…{after}");
        }
    }
}

#[test]
fn short_words_are_found_as_whole_words_of_texts_only() {
    let needles = needles("Ana");
    for (text, hits) in [
        ("Ana", 1),
        ("said Ana, and ana's ANA", 3),
        ("banana Anatolia", 0),
        ("Anaé", 0),
        ("éAna", 0),
        ("(Ana)", 1),
        ("ana_2", 1),
    ] {
        assert_eq!(caught(&needles, text.as_bytes()).hits, hits, "{text}");
    }
    assert_eq!(caught(&needles, b"\0 Ana \0").hits, 0, "bytes are no text");
    let at_the_border = [vec![b' '; CHUNK - 1], b"Ana ".to_vec()].concat();
    assert_eq!(caught(&needles, &at_the_border).hits, 1);
    let not_a_word = [vec![b' '; CHUNK - 3], b"Anastasia".to_vec()].concat();
    assert_eq!(caught(&needles, &not_a_word).hits, 0);
}

#[test]
fn what_stands_twice_is_counted_twice_and_never_more() {
    let needles = needles("popescu");
    let stream = b"popescu ".repeat(3 * CHUNK / 8);
    assert_eq!(caught(&needles, &stream).hits, stream.len() as u64 / 8);
}

#[test]
fn parts_of_vectors_are_found_and_zeros_are_not() {
    let numbers: Vec<f32> = (0..64_u8).map(|at| (f32::from(at) * 0.7).sin()).collect();
    let codes: Vec<u8> = (0..64_u8).map(|at| at.wrapping_mul(37)).collect();
    let needles =
        CompiledNeedles::of(&[SearchTarget::Floats(numbers.clone()), SearchTarget::Codes(codes.clone())])
            .unwrap();
    let floats: Vec<u8> = numbers[17..40].iter().flat_map(|number| number.to_le_bytes()).collect();
    assert_eq!(caught(&needles, &floats).forms, [Form::Floats].into());
    assert_eq!(caught(&needles, &codes[10..45]).forms, [Form::Codes].into());
    assert_eq!(caught(&needles, &[0; 4096]).hits, 0);
    let zeros = CompiledNeedles::of(&[SearchTarget::Codes(vec![0; 64]), words("popescu")]).unwrap();
    assert_eq!(caught(&zeros, &[0; 4096]).hits, 0);
}

#[test]
fn each_finding_is_reported_with_its_place_and_never_with_the_text() {
    let yard = Yard::new(&[
        ("home/scott/persona/nora/memory.db", b"\0\0 popescu \0"),
        ("home/scott/persona/nora/memory.db-wal", b"\0popescu\0popescu"),
        ("home/scott/persona/nora/SOUL.md", b"Popescu"),
        ("home/scott/persona/nora/notes of popescu.txt", b""),
        ("keys/signers.json", b"{}"),
        ("temp/selfhood-1.tmp", b"POPESCU"),
        ("temp/of-somebody-else", b"popescu"),
    ]);
    let residue = yard.scan("popescu");
    let hits: Vec<(&str, u64)> =
        residue.places.iter().map(|(place, found)| (place.as_str(), found.hits)).collect();
    let expected = [
        ("documents", 1),
        ("home: other files", 1),
        ("keys", 0),
        ("memory.db", 1),
        ("memory.db-wal", 2),
        ("temporary files", 1),
    ];
    assert_eq!(hits, expected);
    assert_eq!((residue.verdict(), residue.self_test.is_complete()), (Verdict::Found, true));
    assert!(!serde_json::to_string(&residue).unwrap().to_lowercase().contains("popescu"));
    let register = |name: &str| crate::home_places().find(|place| place.name == name).unwrap();
    assert_eq!(residue.of(register("memory.db:payloads")).unwrap().hits, 1);
    assert_eq!(residue.of(register("channels.json")), None);
}

#[test]
fn a_copy_of_the_program_in_the_temporary_directory_is_not_residue() {
    use std::os::unix::fs::PermissionsExt as _;
    let yard = Yard::new(&[("temp/selfhood-1.0", b"\x7fELF popescu"), ("keys/signers.json", b"{}")]);
    let program = yard.0.path().join("temp/selfhood-1.0");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(yard.scan("popescu").verdict(), Verdict::Clean);
    fs::set_permissions(&program, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(yard.scan("popescu").verdict(), Verdict::Found);
}

#[test]
fn a_clean_home_is_clean_only_with_the_canary_found() {
    let yard = Yard::new(&[("home/selfhood.lock", b"{}")]);
    let residue = yard.scan("popescu");
    assert_eq!((residue.verdict(), residue.self_test.found), (Verdict::Clean, 13));
    let left: Vec<_> =
        fs::read_dir(yard.0.path().join("home")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("canary")), "{left:?}");
    let nowhere = ScanRoots::of_home(&yard.0.path().join("nowhere"), &yard.0.path().join("keys"));
    let unproven = scan(&nowhere, &[words("popescu")], &SeededRandomness::new(1), |_| ()).unwrap();
    assert_eq!(unproven.verdict(), Verdict::Unproven);
    assert!(unproven.self_test.refused.is_some());
}

#[test]
fn what_can_not_be_read_leaves_the_scan_unproven() {
    let yard = Yard::new(&[]);
    let mut residue = yard.scan("popescu");
    assert_eq!(residue.verdict(), Verdict::Clean);
    // A folder instead of a file is unreadable even for root.
    let folder = yard.spot_of("keys");
    let refused = read(&folder, &needles("popescu"), &mut |_| ()).err().unwrap();
    residue.note_unread(&folder, &refused);
    assert_eq!((residue.verdict(), residue.unread.len()), (Verdict::Unproven, 1));
    let unplugged = yard.grounds().and_mirror(&yard.0.path().join("unplugged"));
    let residue = scan(&unplugged, &[words("popescu")], &SeededRandomness::new(1), |_| ()).unwrap();
    assert_eq!((residue.verdict(), residue.unread.len()), (Verdict::Unproven, 1));
}

#[test]
fn any_file_or_folder_can_be_searched_and_nothing_is_written_there() {
    let yard = Yard::new(&[("keys/old.backup", b"\0popescu\0")]);
    let (file, temp) = (yard.0.path().join("keys/old.backup"), yard.0.path().join("temp"));
    let grounds = ScanRoots::of_path(&file, &temp).unwrap();
    assert_eq!(grounds.bytes(), 9);
    let residue = scan(&grounds, &[words("popescu")], &SeededRandomness::new(1), |_| ()).unwrap();
    assert_eq!((residue.hits(), residue.places.len(), residue.self_test.is_complete()), (1, 1, true));
    assert_eq!(fs::read_dir(yard.0.path().join("keys")).unwrap().count(), 1);
    assert!(matches!(ScanRoots::of_path(&temp.join("none"), &temp), Err(ResidueError::NoSuchPlace(_))));
}

#[test]
fn nothing_and_too_much_are_refused() {
    assert!(matches!(CompiledNeedles::of(&[]), Err(ResidueError::Nothing)));
    assert!(matches!(CompiledNeedles::of(&[words(" \n")]), Err(ResidueError::Nothing)));
    assert!(matches!(CompiledNeedles::of(&[words(&"x".repeat(5000))]), Err(ResidueError::TooLong(5000))));
}
