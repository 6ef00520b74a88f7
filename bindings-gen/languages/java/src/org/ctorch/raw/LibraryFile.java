package org.ctorch.raw;

import java.nio.file.Path;

/** Which file is ctorch: the system property {@code org.ctorch.library}, else the variable CTORCH_LIBRARY, else by its name. */
final class LibraryFile {
  private LibraryFile() {}

  static String path() {
    String file = System.getProperty("org.ctorch.library", System.getenv("CTORCH_LIBRARY"));
    if (file == null || file.isEmpty()) {
      return "libctorch.so.0";
    }
    return file.indexOf('/') < 0 ? file : Path.of(file).toAbsolutePath().toString(); // JNA searches for relative ones
  }

  static UnsatisfiedLinkError notLoaded(Throwable cause) {
    String hint = ": CTORCH_LIBRARY, or the system property org.ctorch.library, says where the file is";
    UnsatisfiedLinkError error = new UnsatisfiedLinkError(path() + " cannot be loaded" + hint);
    error.initCause(cause);
    return error;
  }
}
