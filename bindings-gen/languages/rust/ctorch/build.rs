//! Hands on where the library is, to the build script of a program: DEP_CTORCH_RUST_LIBRARY_FOLDER.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if let Ok(folder) = std::env::var("DEP_CTORCH_LIBRARY_FOLDER") {
        println!("cargo:library_folder={}", folder);
        println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder); // for the tests of this package
    }
}
