import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import org.ctorch.Ctorch;
import org.ctorch.raw.Bridge;

/**
 * Runs the tests of the classes that are named: each static method without parameters is one, and its name is the claim.
 * A line "PASS class.method" or "FAIL class.method" for each, after which nothing of the library may be left.
 */
public class Checks {
  interface Body {
    void run() throws Throwable;
  }

  static void that(boolean claim, String otherwise) {
    if (!claim) {
      throw new AssertionError(otherwise);
    }
  }

  static void equal(Object expected, Object got) {
    that(java.util.Objects.deepEquals(expected, got), "expected " + show(expected) + ", got " + show(got));
  }

  private static String show(Object value) {
    String text = Arrays.deepToString(new Object[] {value});
    return text.substring(1, text.length() - 1);
  }

  /** What `body` throws, which must be of exactly that class and say that. */
  static <T extends Throwable> T fails(Class<T> type, String wording, Body body) {
    Throwable thrown = null;
    try {
      body.run();
    } catch (Throwable failure) {
      thrown = failure;
    }
    that(thrown != null, "expected " + type.getName() + ", nothing was thrown");
    that(thrown.getClass() == type, "expected " + type.getName() + ", got " + thrown);
    that(String.valueOf(thrown.getMessage()).contains(wording), "expected \"" + wording + "\" in: " + thrown.getMessage());
    return type.cast(thrown);
  }

  /** Collects garbage until no handle is left, or ten seconds have passed. */
  static long liveHandles() throws InterruptedException {
    for (int i = 0; i < 1000 && Ctorch.debugLiveHandles() > 0; i++) {
      if (i % 20 == 0) {
        System.gc();
      }
      Thread.sleep(10);
    }
    return Ctorch.debugLiveHandles();
  }

  public static void main(String[] classes) throws Exception {
    System.out.println("BRIDGE " + Bridge.name());
    for (String name : classes) {
      Method[] methods = Class.forName(name).getDeclaredMethods();
      Arrays.sort(methods, Comparator.comparing(Method::getName));
      for (Method method : methods) {
        boolean isTest = Modifier.isStatic(method.getModifiers()) && !Modifier.isPrivate(method.getModifiers());
        if (isTest && method.getParameterCount() == 0 && !method.isSynthetic()) {
          run(name, method);
        }
      }
    }
  }

  private static void run(String name, Method method) throws IllegalAccessException, InterruptedException {
    String test = name + "." + method.getName();
    try {
      method.setAccessible(true);
      method.invoke(null);
      long live = liveHandles();
      that(live == 0, live + " handles are left:\n" + (live > 0 ? Ctorch.debugReport() : "they are not counted"));
      System.out.println("PASS " + test);
    } catch (InvocationTargetException | AssertionError failure) {
      StringWriter text = new StringWriter();
      (failure.getCause() != null ? failure.getCause() : failure).printStackTrace(new PrintWriter(text));
      System.out.println("FAIL " + test + "\n" + text.toString().indent(4).stripTrailing());
    }
    System.out.flush();
  }
}
