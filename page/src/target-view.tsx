import { useRef, useState } from "react";
import type { FormEvent, KeyboardEvent } from "react";
import type { PageTarget } from "../../adapters/dev/page-events.ts";
import type { Issue } from "../../src/protocol.ts";
import { AnswerView, Json } from "./answer-view.tsx";
import { call } from "./call.ts";
import type { Answer } from "./call.ts";
import { JsonField } from "./json-field.tsx";
import { initialValue, SchemaForm } from "./schema-form.tsx";

type Mode = "form" | "json";

const EMPTY_TRACE = { steps: [] };

/** One tool or check: what it takes, a call of it, and the answer. */
export function TargetView({ target }: { target: PageTarget }) {
  const [mode, setMode] = useState<Mode>("form");
  const [input, setInput] = useState<unknown>(() => target.config ?? initialValue(target.input));
  const [ctx, setCtx] = useState<unknown>({ tenantId: "dev", runId: "dev-page" });
  const [trace, setTrace] = useState<unknown>(EMPTY_TRACE);
  const { answer, isRunning, run, cancel } = useCall();
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    void run({ target, input, ctx, trace });
  };
  const isTool = target.kind === "tool";
  const inputName = isTool ? "Input" : "Config";
  return (
    <article>
      <header>
        <h1 className="code">
          {target.id} {target.version && <small>{target.version}</small>}
        </h1>
        {target.description && <p className="lead">{target.description}</p>}
      </header>
      <form
        noValidate
        onSubmit={submit}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
        }}
      >
        <div className="bar">
          <h2>{inputName}</h2>
          <ModeSwitch mode={mode} onChange={setMode} />
        </div>
        {mode === "form" ? (
          <SchemaForm
            label={inputName}
            schema={target.input}
            value={input}
            issues={issuesOf(answer)}
            onChange={setInput}
          />
        ) : (
          <JsonField label={`${inputName} as JSON`} value={input} onChange={setInput} />
        )}
        {!isTool && <JsonField label="Trace as JSON" value={trace} rows={6} onChange={setTrace} />}
        {isTool && (
          <details>
            <summary>Context</summary>
            <JsonField label="Call context as JSON" value={ctx} rows={5} onChange={setCtx} />
          </details>
        )}
        <div className="actions">
          <button type="submit" className="primary" disabled={isRunning}>
            Call
          </button>
          {isRunning && (
            <button type="button" onClick={cancel}>
              Cancel
            </button>
          )}
          <span className="shortcut quiet">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
        </div>
      </form>
      <AnswerView answer={answer} isRunning={isRunning} />
      <section className="schemas" aria-label="Schemas">
        <details>
          <summary>{inputName} schema</summary>
          <Json label={`${inputName} schema`} value={target.input} />
        </details>
        {isTool && (
          <details>
            <summary>Output schema</summary>
            <Json label="Output schema" value={target.output} />
          </details>
        )}
      </section>
    </article>
  );
}

function useCall() {
  const [answer, setAnswer] = useState<Answer>();
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController>(undefined);
  return {
    answer,
    isRunning,
    async run(input: Parameters<typeof call>[0]) {
      if (running.current) return;
      running.current = new AbortController();
      setRunning(true);
      setAnswer(await call(input, running.current.signal));
      running.current = undefined;
      setRunning(false);
    },
    cancel: () => running.current?.abort(),
  };
}

function issuesOf(answer: Answer | undefined): readonly Issue[] {
  if (!answer || !("message" in answer) || answer.message.kind !== "error") return [];
  const { code, issues = [] } = answer.message;
  return code === "input-validation-failed" ? issues : [];
}

function ModeSwitch({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) {
  return (
    <div className="switch" role="group" aria-label="Edit as">
      {(["form", "json"] as const).map((name) => (
        <button
          type="button"
          key={name}
          aria-pressed={mode === name}
          onClick={() => onChange(name)}
        >
          {name === "form" ? "Form" : "JSON"}
        </button>
      ))}
    </div>
  );
}
