//! Banks keep what every kind of memory owes its users.

use std::sync::Arc;

use memory_banks::Bank;
use memory_core::{Address, Code, Kind, Result};
use memory_files::Disk;
use memory_testkit::Home;
use memory_testkit::conformance::Subject;

struct Subjects;

impl Subject for Subjects {
    fn open(&self, home: &Home, disk: Arc<dyn Disk>) -> Box<dyn Kind> {
        Box::new(crate::common::open_on(home, disk, true, false))
    }

    fn write(&self, kind: &dyn Kind, n: usize, text: &str) -> Result<Address> {
        crate::common::write(kind, "session", &format!("key-{n}"), text.into())?;
        Ok(Address::new("banks", format!("project/session/key-{n}")))
    }

    fn read(&self, kind: &dyn Kind, n: usize) -> Result<Option<String>> {
        match crate::common::read(kind, "session", &format!("key-{n}")) {
            Ok(value) => Ok(value.as_str().map(str::to_owned)),
            Err(error) if matches!(error.code, Code::KeyNotFound | Code::BankNotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn damage(&self, home: &Home, n: usize) {
        let path = home.path().join("project/session.json");
        let text = std::fs::read_to_string(&path).unwrap();
        let broken = text.replace(&format!("\"value\": \"memory {n}\""), "\"valeu\": 0");
        assert_ne!(broken, text);
        std::fs::write(path, broken).unwrap();
    }

    fn golden(&self) -> (Vec<u8>, Vec<u8>) {
        let kept = include_str!("../golden/bank.json");
        (
            kept.into(),
            Bank::parse(kept).unwrap().render().text.into_bytes(),
        )
    }
}

memory_testkit::keeps_every_promise!(Subjects);
