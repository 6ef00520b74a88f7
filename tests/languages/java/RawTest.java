import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.ctorch.Aten;
import org.ctorch.CtorchException;
import org.ctorch.raw.Bridge;

/** The raw layer binds all of C, and every operator can be called. */
class RawTest {
  /** Prints the name of each function that could be bound; who runs this compares them with api.json. */
  static void everyFunctionIsBound() throws Exception {
    Set<String> names = new TreeSet<>();
    for (String type : System.getProperty("test.raw").split(",")) {
      Class<?> functions = Class.forName("org.ctorch.raw." + type); // JNA binds the class here, or throws
      for (Method method : functions.getMethods()) {
        if (method.getName().startsWith("ctorch_")) {
          names.add(method.getName());
          if (Bridge.name().equals("Panama")) {
            bind(method);
          }
        }
      }
    }
    System.out.println("BOUND " + String.join(" ", names));
  }

  /** Finds the symbol and makes the method handle, as the first call would. */
  private static void bind(Method method) throws Exception {
    Method symbol = Bridge.class.getDeclaredMethod("symbol", String.class);
    symbol.setAccessible(true);
    Checks.that((long) symbol.invoke(null, method.getName()) != 0, method.getName());
    StringBuilder signature = new StringBuilder();
    Arrays.stream(method.getParameterTypes()).forEach(type -> signature.append(type.descriptorString()));
    Class.forName("org.ctorch.raw.Signatures$" + signature + "_" + method.getReturnType().descriptorString());
  }

  /** With nothing at all: null, zero and empty lists. The answer is an exception or a result. */
  static void everyOperatorIsCalled() throws Exception {
    Set<String> names = new TreeSet<>();
    int failed = 0;
    for (Method method : Aten.class.getMethods()) {
      if (method.getDeclaringClass() != Aten.class) {
        continue;
      }
      names.add(method.getName());
      Object[] arguments = Arrays.stream(method.getParameterTypes()).map(RawTest::nothing).toArray();
      try {
        method.invoke(null, arguments);
      } catch (InvocationTargetException failure) {
        Throwable cause = failure.getCause();
        boolean expected = cause instanceof CtorchException || cause instanceof NullPointerException;
        Checks.that(expected, method + " threw " + cause);
        failed += 1;
      }
    }
    System.out.println("CALLED " + String.join(" ", names));
    Checks.that(failed > 4000, "only " + failed + " refused to work on nothing");
  }

  private static Object nothing(Class<?> type) {
    if (type == boolean.class) {
      return false;
    }
    if (type == double.class) {
      return 0.0;
    }
    if (type == int.class) {
      return 0;
    }
    return type == long.class ? (Object) 0L : null;
  }
}
