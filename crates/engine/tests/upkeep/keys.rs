//! Status, rotation and the copies of the key directory.

use std::fs;

use wire::Code;
use wire::doctor::Outcome;
use wire::vault::MirrorPath;

use engine_testkit::test_home::{TestHome, call, call_by_key, dump, maya, remember};

#[tokio::test]
async fn a_rotation_goes_to_the_next_epoch_and_loses_nothing() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let persona = maya(&engine).await;
    remember(&engine, &persona, "The guest loved the seafood at Marina.", "ana").await;
    let (before, first) = (dump(&engine).await, engine.show_vault(&call(0)).await.unwrap().vault);
    assert_eq!((first.epoch, first.wrapped, first.mirrors.len()), (1, false, 0));
    let second = engine.rotate_keys(&call(1)).await.unwrap().vault;
    assert_eq!((second.epoch, second.living), (2, first.living));
    assert!(second.counter > first.counter && !second.is_partial());
    assert!(!test_home.at("keys/marriott/kek-1.key").exists());
    assert_eq!(dump(&engine).await, before);
    let verified = engine.verify_vault(&call(1)).await.unwrap();
    assert_ne!(verified.outcome(), Outcome::Fail, "{verified:?}");
}

#[tokio::test]
async fn a_mirror_follows_a_rotation_and_an_unreachable_one_makes_it_partial() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    maya(&engine).await;
    let mirror = MirrorPath { path: test_home.at("stick").to_str().unwrap().to_owned() };
    let listed = engine.add_mirror(&call(0), &mirror).unwrap().mirrors;
    assert_eq!(listed.iter().map(|mirror| mirror.behind.clone()).collect::<Vec<_>>(), [None]);
    assert!(test_home.at("stick/marriott/kek-1.key").exists());
    assert_eq!(engine.add_mirror(&call(0), &mirror).unwrap_err().code, Code::Conflict);
    assert!(!engine.rotate_keys(&call(1)).await.unwrap().vault.is_partial());
    assert!(
        !test_home.at("stick/marriott/kek-1.key").exists()
            && test_home.at("stick/marriott/kek-2.key").exists()
    );
    fs::rename(test_home.at("stick"), test_home.at("unplugged")).unwrap();
    assert!(engine.rotate_keys(&call(2)).await.unwrap().vault.is_partial());
    assert_eq!(engine.remove_mirror(&call(2), &mirror).unwrap().mirrors, []);
    assert_eq!(engine.remove_mirror(&call(2), &mirror).unwrap_err().code, Code::NotFound);
}

#[tokio::test]
async fn no_api_key_reaches_the_copies_of_the_keys() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    maya(&engine).await;
    let mirror = MirrorPath { path: test_home.at("stick").to_str().unwrap().to_owned() };
    let call = call_by_key(0);
    for refused in
        [engine.list_mirrors(&call), engine.add_mirror(&call, &mirror), engine.remove_mirror(&call, &mirror)]
    {
        assert_eq!(refused.unwrap_err().code, Code::Forbidden);
    }
    engine.add_mirror(&engine_testkit::test_home::call(0), &mirror).unwrap();
    let seen = engine.show_vault(&call).await.unwrap().vault;
    assert_eq!(
        (seen.epoch, seen.mirrors[0].path.as_str()),
        (1, "mirror 1"),
        "numbers, and no paths of the machine"
    );
    for inside in ["home/copy", "keys/copy"] {
        let mirror = MirrorPath { path: test_home.at(inside).to_str().unwrap().to_owned() };
        let refused = engine.add_mirror(&engine_testkit::test_home::call(0), &mirror).unwrap_err();
        assert_eq!(refused.code, Code::ValidationFailed);
    }
}
