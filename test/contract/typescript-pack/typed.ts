import { label } from "./label.ts";

interface Input {
  name: string;
}

export default function typed(input: Input): { label: string } {
  return { label: label(input.name satisfies string) };
}
