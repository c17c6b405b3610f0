import { isSafeInteger, min } from "../captured.ts";

/** Whether a finite number is a multiple of another, judged by the decimal digits they are written with. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (isSafeInteger(value) && isSafeInteger(divisor)) return value % divisor === 0;
  const a = decimal(value);
  const b = decimal(divisor);
  const exponent = min(a.exponent, b.exponent);
  return scaled(a, exponent) % scaled(b, exponent) === 0n;
}

interface Decimal {
  digits: bigint;
  exponent: number;
}

function decimal(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
