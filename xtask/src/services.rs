//! Services that operators run elsewhere: backups to storage that speaks S3 and keys wrapped by KMS, both played
//! by moto, which checks every signature; and traces and metrics, read with OpenTelemetry's own messages.

use std::process::Command;

use crate::cargo;
use crate::contract;
use crate::sdks::python_with;
use crate::stage::{ChoreResult, Profile, Stage};

/// The versions that are tried with, so that a run says the same next year.
const PACKAGES: &[&str] = &["moto[server]==5.2.5", "boto3==1.44.0", "opentelemetry-proto==1.45.2"];

/// Tries them; on a machine without Python it says so.
pub(crate) fn run() -> bool {
    match tried() {
        Ok(()) => true,
        Err(why) => {
            eprintln!("services: {why}");
            false
        }
    }
}

fn tried() -> ChoreResult<()> {
    if !contract::is_possible() {
        return Err("needs Python 3 with venv".to_owned());
    }
    let python = python_with(PACKAGES)?;
    let stage = Stage::new("services", Profile::Dev)?;
    let script = cargo::root().join("xtask").join("services").join("drive.py");
    let mut drive = Command::new(python);
    drive.arg("-B").arg(script).arg(stage.binary()).arg(&stage.folder);
    match drive.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) | Err(_) => Err("a service was not used as it expects".to_owned()),
    }
}
