//! Finds ctorch through pkg-config: set PKG_CONFIG_PATH if ctorch.pc is in no standard folder, PKG_CONFIG to use
//! another program.

use std::env;
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
    for flag in flags.split_whitespace() {
        if let Some(folder) = flag.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={}", folder);
            println!("cargo:library_folder={}", folder);
        } else if let Some(library) = flag.strip_prefix("-l") {
            println!("cargo:rustc-link-lib=dylib={}", library);
        }
    }
}

fn fail(reason: &str) -> ! {
    eprintln!("ctorch-sys: pkg-config does not find ctorch: {}", reason.trim());
    eprintln!("Install ctorch, and set PKG_CONFIG_PATH to the folder that has its ctorch.pc.");
    exit(1)
}
