import { abs, round } from "../captured.ts";

/** Whether a finite number is a multiple of a divisor, judged by the decimal digits they are written with. */
export function multipleTest(divisor: number): (value: number) => boolean {
  const unit = decimal(divisor);
  const scale = 10 ** -unit.exponent;
  const digits = Number(unit.digits);
  const isShort = unit.exponent <= 0 && scale <= MAX_EXACT_POWER && digits < MAX_EXACT_DIGITS;
  return (value) => {
    const count = round(value * scale);
    // Numbers of so few digits are what they are written as: no other text gives the same number.
    if (isShort && abs(count) < MAX_EXACT_DIGITS) {
      return count / scale === value && count % digits === 0;
    }
    return isDecimalMultiple(decimal(value), unit);
  };
}

/** The powers of ten up to this one are numbers without a rounding error. */
const MAX_EXACT_POWER = 1e22;
const MAX_EXACT_DIGITS = 1e15;

interface Decimal {
  digits: bigint;
  exponent: number;
}

function decimal(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** A number has at most 17 digits, however large or small it is: its zeros are not written out. */
const MAX_DIGITS = 17;

function isDecimalMultiple(value: Decimal, unit: Decimal): boolean {
  const zeros = value.exponent - unit.exponent;
  if (zeros >= 0) return (value.digits * powerModulo(zeros, unit.digits)) % unit.digits === 0n;
  if (zeros < -2 * MAX_DIGITS) return value.digits === 0n;
  return value.digits % (unit.digits * 10n ** BigInt(-zeros)) === 0n;
}

/** A power of ten, modulo a number. */
function powerModulo(exponent: number, modulus: bigint): bigint {
  let power = 1n;
  let square = 10n % modulus;
  for (let rest = exponent; rest > 0; rest >>= 1) {
    if (rest % 2 === 1) power = (power * square) % modulus;
    square = (square * square) % modulus;
  }
  return power;
}
