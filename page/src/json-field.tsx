import { useId, useState } from "react";

export interface JsonFieldProps {
  label: string;
  value: unknown;
  rows?: number;
  onChange: (value: unknown) => void;
}

/** A JSON value as text. What is no JSON is told and changes nothing. */
export function JsonField({ label, value, rows = 12, onChange }: JsonFieldProps) {
  const id = useId();
  const [text, setText] = useState(() => JSON.stringify(value, null, 2) ?? "");
  const [error, setError] = useState("");
  const edit = (next: string) => {
    setText(next);
    try {
      onChange(JSON.parse(next));
      setError("");
    } catch (failure) {
      setError((failure as Error).message);
    }
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="code"
        rows={rows}
        spellCheck={false}
        value={text}
        aria-invalid={error !== ""}
        aria-describedby={`${id}-error`}
        onChange={(event) => edit(event.target.value)}
      />
      <p id={`${id}-error`} className="error" role="alert">
        {error}
      </p>
    </div>
  );
}
