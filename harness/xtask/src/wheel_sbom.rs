//! Removes what differs between two builds from the list of dependencies in a wheel, and copies the list: the folder of the
//! checkout, the time, and a random number. `SOURCE_DATE_EPOCH` is the time to write.

use std::env;
use std::fs;
use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use zip::{ZipArchive, ZipWriter};

use crate::files::write;

/// `wheel-sbom WHEEL CHECKOUT COPY`: the copy is the file to write the list to.
pub(crate) fn main(arguments: &[String]) -> Result<ExitCode> {
    let [wheel, checkout, copy] = arguments else {
        bail!("wrong number of arguments\nhelp: cargo xtask wheel-sbom WHEEL CHECKOUT COPY");
    };
    let epoch = env::var("SOURCE_DATE_EPOCH").context("SOURCE_DATE_EPOCH is not set")?;
    let epoch = epoch.parse().context("SOURCE_DATE_EPOCH is not a number of seconds")?;
    let old = fs::read(wheel).with_context(|| format!("cannot read {wheel}"))?;
    let (new, sbom) = reproducible(&old, checkout, &time_of(epoch))
        .with_context(|| format!("{wheel} is not the wheel of a release"))?;
    write(Path::new(wheel), new)?;
    write(Path::new(copy), sbom)?;
    Ok(ExitCode::SUCCESS)
}

/// The wheel and its list of dependencies, without what differs between two builds.
fn reproducible(wheel: &[u8], checkout: &str, time: &str) -> Result<(Vec<u8>, Vec<u8>)> {
    let mut old = ZipArchive::new(Cursor::new(wheel))?;
    let mut new = ZipWriter::new(Cursor::new(Vec::new()));
    let mut sbom = None;
    let mut record = String::new();
    for index in 0..old.len() {
        let mut file = old.by_index(index)?;
        let name = file.name()?.into_owned();
        let mut data = Vec::new();
        file.read_to_end(&mut data)?;
        let options = file.options();
        drop(file);
        if name.ends_with(".dist-info/RECORD") {
            ensure!(index + 1 == old.len(), "{name} is not its last file");
            data = format!("{record}{name},,\n").into_bytes();
        } else if name.contains("/sboms/") {
            ensure!(sbom.is_none(), "{name} is its second list of dependencies");
            data = cleaned(&data, checkout, time).with_context(|| format!("cannot read {name}"))?;
            sbom = Some(data.clone());
        } else {
            new.raw_copy_file(old.by_index_raw(index)?)?;
            record += &record_line(&name, &data);
            continue;
        }
        record += &record_line(&name, &data);
        new.start_file(name, options)?;
        new.write_all(&data)?;
    }
    ensure!(record.contains(".dist-info/RECORD,"), "it has no RECORD");
    let sbom = sbom.context("it has no list of dependencies")?;
    Ok((new.finish()?.into_inner(), sbom))
}

/// A list of dependencies, with sorted keys.
fn cleaned(sbom: &[u8], checkout: &str, time: &str) -> Result<Vec<u8>> {
    let text = std::str::from_utf8(sbom)?.replace(&format!("file://{checkout}"), "file://.");
    let mut list: Value = serde_json::from_str(&text)?;
    let fields = list.as_object_mut().context("it is not an object")?;
    fields.remove("serialNumber");
    let metadata = fields.get_mut("metadata").context("it has no metadata")?;
    metadata["timestamp"] = time.into();
    list.sort_all_objects();
    Ok(format!("{list:#}\n").into_bytes())
}

/// A line of a wheel's RECORD.
fn record_line(name: &str, data: &[u8]) -> String {
    let digest = URL_SAFE_NO_PAD.encode(Sha256::digest(data));
    format!("{name},sha256={digest},{}\n", data.len())
}

/// A time in UTC, such as `2026-01-31T23:59:59Z`.
fn time_of(epoch: u32) -> String {
    const DAY: u32 = 24 * 60 * 60;
    let (mut days, seconds) = (epoch / DAY, epoch % DAY);
    let mut year = 1970;
    while days >= 365 + leap_days(year) {
        days -= 365 + leap_days(year);
        year += 1;
    }
    let lengths = [31, 28 + leap_days(year), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    format!(
        "{year}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
        month + 1,
        days + 1,
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

fn leap_days(year: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    u32::from(is_leap)
}

#[cfg(test)]
mod tests {
    use super::*;

    use zip::write::SimpleFileOptions;

    const NAMES: [&str; 3] =
        ["a/b.txt", "r-1.dist-info/sboms/r.cyclonedx.json", "r-1.dist-info/RECORD"];

    fn list(checkout: &str, number: u32) -> String {
        format!(
            r#"{{"serialNumber":"urn:{number}","metadata":{{"timestamp":"{number}","component":{{"version":"1","name":"r"}}}},"ref":"path+file://{checkout}/harness#1"}}"#
        )
    }

    fn wheel(files: &[(&str, &str)]) -> Vec<u8> {
        let mut wheel = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in files {
            let options = SimpleFileOptions::default().unix_permissions(0o755);
            wheel.start_file(*name, options).expect("a file");
            wheel.write_all(text.as_bytes()).expect("a file");
        }
        wheel.finish().expect("a wheel").into_inner()
    }

    fn file(wheel: &[u8], name: &str) -> String {
        let mut archive = ZipArchive::new(Cursor::new(wheel)).expect("an archive");
        let mut file = archive.by_name(name).expect("a file");
        assert_eq!(file.unix_mode(), Some(0o100_755));
        let mut text = String::new();
        file.read_to_string(&mut text).expect("a text");
        text
    }

    #[test]
    fn two_builds_give_equal_bytes() {
        let made = ["/one", "/other"].map(|checkout| {
            let list = list(checkout, u32::try_from(checkout.len()).expect("a number"));
            let old = wheel(&[(NAMES[0], "text"), (NAMES[1], &list), (NAMES[2], "old")]);
            reproducible(&old, checkout, "now").expect("a wheel")
        });
        assert_eq!(made[0], made[1]);
        let (new, sbom) = &made[0];
        let text = file(new, NAMES[1]);
        assert_eq!(text.as_bytes(), sbom);
        assert_eq!(
            text,
            r#"{
  "metadata": {
    "component": {
      "name": "r",
      "version": "1"
    },
    "timestamp": "now"
  },
  "ref": "path+file://./harness#1"
}
"#
        );
        assert_eq!(file(new, NAMES[0]), "text");
    }

    #[test]
    fn the_record_has_the_new_sums() {
        let old = wheel(&[(NAMES[0], "text"), (NAMES[1], &list("/c", 1)), (NAMES[2], "old")]);
        let (new, sbom) = reproducible(&old, "/c", "now").expect("a wheel");
        let record = file(&new, NAMES[2]);
        let lines: Vec<_> = record.lines().collect();
        // printf text | openssl dgst -sha256 -binary | base64 | tr +/ -_ | tr -d =
        let sum = "mC2ePrmW9VnmM_TRlN7zdh2Qn1o7ZH0ahR_q1nwyydE";
        assert_eq!(lines[0], format!("a/b.txt,sha256={sum},4"));
        assert_eq!(lines[1], record_line(NAMES[1], &sbom).trim_end());
        assert_eq!(lines[2..], ["r-1.dist-info/RECORD,,"]);
    }

    #[test]
    fn another_archive_is_no_wheel_of_a_release() {
        let list = list("/c", 1);
        let fails = |files: &[(&str, &str)]| reproducible(&wheel(files), "/c", "now").is_err();
        assert!(fails(&[(NAMES[0], "text"), (NAMES[2], "old")]));
        assert!(fails(&[(NAMES[1], &list)]));
        assert!(fails(&[(NAMES[1], &list), (NAMES[2], "old"), (NAMES[0], "text")]));
        let second = "r-1.dist-info/sboms/s.json";
        assert!(fails(&[(NAMES[1], &list), (second, &list), (NAMES[2], "old")]));
        assert!(fails(&[(NAMES[1], "[]"), (NAMES[2], "old")]));
        assert!(reproducible(b"text", "/c", "now").is_err());
    }

    #[test]
    fn times_are_those_of_the_calendar() {
        // date --utc --date=@SECONDS +%FT%TZ
        for (epoch, time) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_200, "2024-03-01T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(time_of(epoch), time);
        }
    }
}
