//! Finds ctorch through pkg-config: set PKG_CONFIG_PATH if ctorch.pc is in no standard folder, PKG_CONFIG to use
//! another program.
//!
//! Cargo hands no rpath on to the programs of other packages. What it does do is to let `cargo run` and `cargo test`
//! look for libraries in the folders of build scripts: so a link to the library is put there. A program that is to
//! start by itself needs the rpath from its own build script; the README shows it.

use std::env;
use std::path::Path;
use std::process::{exit, Command};

fn main() {
    println!("cargo:rerun-if-env-changed=PKG_CONFIG");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rerun-if-changed=build.rs");
    let program = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".to_string());
    let flags = match Command::new(&program).args(["--libs", "ctorch"]).output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        Ok(output) => fail(&String::from_utf8_lossy(&output.stderr)),
        Err(error) => fail(&format!("{}: {}", program, error)),
    };
    let mut linked = false;
    for flag in flags.split_whitespace() {
        if let Some(folder) = flag.strip_prefix("-L") {
            let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.into());
            println!("cargo:rustc-link-search=native={}", folder.display());
            println!("cargo:library_folder={}", folder.display());
            linked = linked || link(&folder);
        } else if let Some(library) = flag.strip_prefix("-l") {
            println!("cargo:rustc-link-lib=dylib={}", library);
        }
    }
}

/// Put a link to the library into the folder of this script, under the name that programs ask for.
fn link(folder: &Path) -> bool {
    let name = "libctorch.so.0";
    let library = folder.join(name);
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    if !library.exists() {
        return false;
    }
    let link = Path::new(&out).join(name);
    let _ = std::fs::remove_file(&link);
    println!("cargo:rerun-if-changed={}", library.display());
    println!("cargo:rustc-link-search=native={}", out.to_string_lossy());
    #[cfg(unix)]
    return std::os::unix::fs::symlink(&library, &link).is_ok();
    #[cfg(not(unix))]
    return false;
}

fn fail(reason: &str) -> ! {
    eprintln!("ctorch-sys: pkg-config does not find ctorch: {}", reason.trim());
    eprintln!("Install ctorch, and set PKG_CONFIG_PATH to the folder that has its ctorch.pc.");
    exit(1)
}
