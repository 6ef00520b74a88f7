package org.ctorch;

import java.lang.reflect.Array;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Java's objects as values of the C API, and back: what operators called by name and custom operators exchange.
 *
 * <pre>{@code
 * Value value = Values.of(Map.of("lr", 0.1, "betas", Tuple.of(0.9, 0.999)));
 * Map<?, ?> copy = (Map<?, ?>) Values.get(value);
 * }</pre>
 *
 * null is None; Boolean, String; Long, and BigInteger beyond 64 bits; Double; a complex {@link Scalar}; byte[] is bytes;
 * List, {@link Tuple}, Map and Set; {@link DType}, {@link Layout}, {@link MemoryFormat}, {@link Device}, {@link Stream};
 * {@link Tensor}, {@link Generator}, {@link Storage}, {@link Module}, {@link Transform}; {@link PythonObject}. That is what {@link #get}
 * gives; {@link #of} also takes the smaller numbers, any Scalar, and arrays as lists.
 */
public final class Values {
  private static final int DEEPEST = 500; // the stack of a thread ends not far behind

  private final List<Value> made = new ArrayList<>();
  private final IdentityHashMap<Object, Value> known = new IdentityHashMap<>(); // null while it is being made
  private int depth;

  private Values() {}

  /**
   * A value that holds what an object does. What lies in two places does so in the value.
   *
   * @throws IllegalArgumentException if something in it is none of those, or contains itself
   */
  public static Value of(Object object) {
    Values values = new Values();
    Value root = null;
    try {
      Value found = values.make(object);
      root = found == object ? retained(found) : found;
      return root;
    } finally {
      for (Value value : values.made) {
        if (value != root) {
          value.close();
        }
      }
    }
  }

  private static Value retained(Value value) {
    Call call = Call.begin();
    try {
      long address = call.handle(value);
      value.retain(address);
      return new Value(address);
    } finally {
      call.end();
    }
  }

  private static IllegalArgumentException refused(String why) {
    return new IllegalArgumentException("Values.of: object: " + why);
  }

  private Value make(Object object) {
    if (object instanceof Value) {
      ((Value) object).kindOf(); // not a closed one
      return (Value) object;
    }
    Value found = flat(object);
    if (found == null) {
      found = once(object);
    }
    return found;
  }

  private Value keep(Value value) {
    made.add(value);
    return value;
  }

  /** The value of what holds no others; null for a container. */
  private Value flat(Object object) {
    if (object == null) {
      return keep(Value.fromNone());
    } else if (object instanceof Boolean) {
      return keep(Value.fromBool((Boolean) object));
    } else if (object instanceof Long || object instanceof Integer || object instanceof Short || object instanceof Byte) {
      return keep(Value.fromInt(((Number) object).longValue()));
    } else if (object instanceof Double || object instanceof Float) {
      return keep(Value.fromDouble(((Number) object).doubleValue()));
    } else if (object instanceof BigInteger) {
      return keep(Value.fromIntBytes(reversed(((BigInteger) object).toByteArray())));
    } else if (object instanceof Scalar) {
      return keep(Value.fromScalar((Scalar) object));
    } else if (object instanceof String) {
      return keep(Value.fromStringData(utf8((String) object)));
    } else if (object instanceof byte[]) {
      return keep(Value.fromBytes((byte[]) object));
    } else if (object instanceof DType) {
      return keep(Value.fromDtype((DType) object));
    } else if (object instanceof Layout) {
      return keep(Value.fromLayout((Layout) object));
    } else if (object instanceof MemoryFormat) {
      return keep(Value.fromMemoryFormat((MemoryFormat) object));
    } else if (object instanceof Device) {
      return keep(Value.fromDevice((Device) object));
    } else if (object instanceof Stream) {
      return keep(Value.fromStream((Stream) object));
    } else if (object instanceof Tensor) {
      return keep(Value.fromTensor((Tensor) object));
    } else if (object instanceof Generator) {
      return keep(Value.fromGenerator((Generator) object));
    } else if (object instanceof Storage) {
      return keep(Value.fromStorage((Storage) object));
    } else if (object instanceof Module) {
      return keep(Value.fromModule((Module) object));
    } else if (object instanceof Transform) {
      return keep(Value.fromTransform((Transform) object));
    }
    return null;
  }

  private Value once(Object object) {
    if (depth == DEEPEST || (known.containsKey(object) && known.get(object) == null)) {
      throw refused("nested more than " + DEEPEST + " deep, or contains itself");
    }
    Value found = known.get(object);
    if (found == null) {
      known.put(object, null);
      depth++;
      found = keep(container(object));
      depth--;
      known.put(object, found);
    }
    return found;
  }

  private Value container(Object object) {
    if (object instanceof Map) {
      Map<?, ?> map = (Map<?, ?>) object;
      return Value.fromDict(all(map.keySet()), all(map.values()));
    } else if (object instanceof Set) {
      return Value.fromSet(all((Set<?>) object));
    } else if (object instanceof List) {
      return Value.fromList(all((List<?>) object));
    } else if (object instanceof Tuple) {
      return Value.fromTuple(all(((Tuple) object).entries()));
    } else if (object instanceof PythonObject) {
      PythonObject python = (PythonObject) object;
      return Value.fromPythonObject(
          python.module(), python.name(), part(python.args()), part(python.items()), part(python.state()));
    } else if (object.getClass().isArray()) {
      List<Object> entries = new ArrayList<>();
      for (int i = 0; i < Array.getLength(object); i++) {
        entries.add(Array.get(object, i));
      }
      return Value.fromList(all(entries));
    }
    throw refused("no value can hold a " + object.getClass().getName());
  }

  private Value part(Object object) {
    return object == null ? null : make(object);
  }

  private Value[] all(Collection<?> objects) {
    Value[] values = new Value[objects.size()];
    int i = 0;
    for (Object object : objects) {
      values[i++] = make(object);
    }
    return values;
  }

  private static byte[] utf8(String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      return Arrays.copyOf(encoded.array(), encoded.limit());
    } catch (CharacterCodingException e) {
      throw refused("text with half a character");
    }
  }

  private static byte[] reversed(byte[] bytes) {
    byte[] turned = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      turned[i] = bytes[bytes.length - 1 - i];
    }
    return turned;
  }

  /**
   * What a value holds, in Java: lists, maps and sets are copies that may be changed, in the value's order. The value
   * itself, with a reference of its own, for what has no form there, as an object of TorchScript.
   *
   * @throws IllegalArgumentException if it is nested more than 500 deep, or contains itself
   */
  public static Object get(Value value) {
    return value == null ? null : read(value, 0);
  }

  /**
   * A part of a list or tuple, as samples and batches are: {@code Tensor images = Values.part(batch, 0)}.
   *
   * @throws IllegalArgumentException if it is neither
   * @throws IndexOutOfBoundsException if it has no such part
   */
  @SuppressWarnings("unchecked")
  public static <T> T part(Object value, int index) {
    if (value instanceof Tuple) {
      return (T) ((Tuple) value).entries().get(index);
    } else if (value instanceof List) {
      return (T) ((List<?>) value).get(index);
    }
    throw new IllegalArgumentException("Values.part: value: neither a list nor a tuple");
  }

  private static Object read(Value value, int depth) {
    if (depth > DEEPEST) {
      throw new IllegalArgumentException("Values.get: nested more than " + DEEPEST + " deep, or contains itself");
    }
    switch (value.kindOf()) {
      case NONE:
        return null;
      case TENSOR:
        return value.toTensor();
      case INT:
        return integer(value);
      case DOUBLE:
        return value.toDouble();
      case BOOL:
        return value.toBool();
      case COMPLEX:
        return value.toScalar();
      case STRING:
        return value.toString_();
      case LIST:
        return entries(value, depth);
      case TUPLE:
        return tuple(value, entries(value, depth));
      case DICT:
        return map(value, depth);
      case SET:
        try (Value list = value.setValues()) {
          return new LinkedHashSet<>(entries(list, depth));
        }
      case DEVICE:
        return value.toDevice();
      case STREAM:
        return value.toStream();
      case GENERATOR:
        return value.toGenerator();
      case STORAGE:
        return value.toStorage();
      case MODULE:
        return value.toModule();
      case TRANSFORM:
        return value.toTransform();
      case BYTES:
        return bytes(value);
      case DTYPE:
        return value.toDtype();
      case LAYOUT:
        return value.toLayout();
      case MEMORY_FORMAT:
        return value.toMemoryFormat();
      case PYTHON_OBJECT:
        return pythonObject(value, depth);
      default:
        return retained(value);
    }
  }

  private static Number integer(Value value) {
    try {
      return value.toInt();
    } catch (CtorchException moreThan64Bits) {
      try (Value bytes = value.toIntBytes()) { // this says what else may be wrong
        return new BigInteger(reversed(bytes(bytes)));
      }
    }
  }

  private static byte[] bytes(Value value) {
    byte[] data = new byte[Math.toIntExact(value.len())];
    value.readBytes(data);
    return data;
  }

  private static List<Object> entries(Value value, int depth) {
    int length = Math.toIntExact(value.len());
    List<Object> found = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      try (Value entry = value.get(i)) {
        found.add(read(entry, depth + 1));
      }
    }
    return found;
  }

  private static Tuple tuple(Value value, List<Object> entries) {
    String name = value.tupleName();
    if (name == null) {
      return new Tuple(entries);
    }
    List<String> fields = new ArrayList<>(entries.size());
    for (int i = 0; i < entries.size(); i++) {
      fields.add(value.fieldName(i));
    }
    return new Tuple(entries, name, fields);
  }

  private static Map<Object, Object> map(Value value, int depth) {
    try (Value keys = value.dictKeys();
        Value values = value.dictValues()) {
      List<Object> names = entries(keys, depth);
      List<Object> held = entries(values, depth);
      Map<Object, Object> found = new LinkedHashMap<>();
      for (int i = 0; i < names.size(); i++) {
        found.put(names.get(i), held.get(i));
      }
      return found;
    }
  }

  private static PythonObject pythonObject(Value value, int depth) {
    try (Value args = value.pythonArgs();
        Value items = value.pythonItems();
        Value state = value.pythonState()) {
      return new PythonObject(
          value.pythonModule(),
          value.pythonName(),
          args == null ? null : (Tuple) read(args, depth + 1),
          items == null ? null : read(items, depth + 1),
          state == null ? null : read(state, depth + 1));
    }
  }
}
