package org.ctorch;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A number as PyTorch's operators take it. Java's own numbers are taken wherever this is; it is here for the others:
 * {@code Scalar.of(true)}, {@code Scalar.complex(1, -2)}, and {@code BigInteger}s up to 2^64 - 1.
 */
public final class Scalar extends Number {
  /** What kind of number it is. */
  public enum Kind {
    INT,
    FLOAT,
    BOOL,
    COMPLEX,
    UINT
  }

  static final int BYTES = 32;
  private static final long serialVersionUID = 1;

  private final Kind kind;
  private final long whole;
  private final double real;
  private final double imaginary;

  private Scalar(Kind kind, long whole, double real, double imaginary) {
    this.kind = kind;
    this.whole = whole;
    this.real = real;
    this.imaginary = imaginary;
  }

  public static Scalar of(long value) {
    return new Scalar(Kind.INT, value, 0, 0);
  }

  public static Scalar of(double value) {
    return new Scalar(Kind.FLOAT, 0, value, 0);
  }

  public static Scalar of(boolean value) {
    return new Scalar(Kind.BOOL, value ? 1 : 0, 0, 0);
  }

  public static Scalar complex(double real, double imaginary) {
    return new Scalar(Kind.COMPLEX, 0, real, imaginary);
  }

  /** Any of Java's numbers: whole ones stay whole, of up to 64 bits. */
  public static Scalar of(Number value) {
    if (value instanceof Scalar) {
      return (Scalar) value;
    }
    if (value instanceof Double || value instanceof Float) {
      return of(value.doubleValue());
    }
    if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
      return of(value.longValue());
    }
    if (value instanceof BigInteger) {
      BigInteger big = (BigInteger) value;
      if (big.bitLength() < 64) {
        return of(big.longValue());
      }
      if (big.signum() > 0 && big.bitLength() == 64) {
        return new Scalar(Kind.UINT, big.longValue(), 0, 0);
      }
      throw new ArithmeticException(value + " has more than 64 bits");
    }
    Objects.requireNonNull(value, "a number is null");
    throw new IllegalArgumentException("no number for PyTorch: " + value.getClass().getName());
  }

  public Kind kind() {
    return kind;
  }

  /** A fraction is cut off, an imaginary part dropped. */
  @Override
  public long longValue() {
    return kind == Kind.FLOAT || kind == Kind.COMPLEX ? (long) real : whole;
  }

  @Override
  public int intValue() {
    return (int) longValue();
  }

  @Override
  public double doubleValue() {
    if (kind == Kind.UINT) {
      return bigIntegerValue().doubleValue();
    }
    return kind == Kind.FLOAT || kind == Kind.COMPLEX ? real : whole;
  }

  @Override
  public float floatValue() {
    return (float) doubleValue();
  }

  public boolean booleanValue() {
    return kind == Kind.FLOAT || kind == Kind.COMPLEX ? real != 0 || imaginary != 0 : whole != 0;
  }

  public double imaginary() {
    return imaginary;
  }

  /** The exact value of a whole number. */
  public BigInteger bigIntegerValue() {
    BigInteger value = BigInteger.valueOf(longValue());
    return kind == Kind.UINT ? value.add(BigInteger.ONE.shiftLeft(64)) : value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Scalar
        && kind == ((Scalar) other).kind
        && whole == ((Scalar) other).whole
        && Double.compare(real, ((Scalar) other).real) == 0
        && Double.compare(imaginary, ((Scalar) other).imaginary) == 0;
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, whole, real, imaginary);
  }

  @Override
  public String toString() {
    switch (kind) {
      case BOOL:
        return String.valueOf(whole != 0);
      case FLOAT:
        return String.valueOf(real);
      case COMPLEX:
        return "(" + real + (imaginary < 0 ? "" : "+") + imaginary + "j)";
      default:
        return bigIntegerValue().toString();
    }
  }

  void write(ByteBuffer memory, int offset) {
    memory.putInt(offset, kind.ordinal()).putInt(offset + 4, 0).putLong(offset + 8, whole);
    memory.putDouble(offset + 16, real).putDouble(offset + 24, imaginary);
  }

  static Scalar read(ByteBuffer memory, int offset) {
    Kind kind = Kind.values()[memory.getInt(offset)];
    boolean real = kind == Kind.FLOAT || kind == Kind.COMPLEX;
    return new Scalar(
        kind,
        real ? 0 : memory.getLong(offset + 8),
        real ? memory.getDouble(offset + 16) : 0,
        kind == Kind.COMPLEX ? memory.getDouble(offset + 24) : 0);
  }
}
