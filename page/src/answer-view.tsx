import { issueText } from "../../adapters/issue-text.ts";
import type { Issue, ResponseMessage } from "../../src/protocol.ts";
import type { Answer } from "./call.ts";

/** What the last call came to. */
export function AnswerView({
  answer,
  isRunning,
}: {
  answer: Answer | undefined;
  isRunning: boolean;
}) {
  return (
    <section className="answer" aria-labelledby="answer-title" aria-busy={isRunning}>
      <h2 id="answer-title">Answer</h2>
      <p className="outcome" role="status">
        {isRunning ? <span className="quiet">Calling…</span> : <Outcome answer={answer} />}
      </p>
      {!isRunning && answer && "message" in answer && <Message message={answer.message} />}
    </section>
  );
}

function Outcome({ answer }: { answer: Answer | undefined }) {
  if (!answer) return <span className="quiet">Nothing has been called yet.</span>;
  const { durationMs, artifactVersion } = answer;
  const meta = [
    ...(durationMs === undefined ? [] : [`${durationMs} ms`]),
    ...(artifactVersion === undefined ? [] : [`artifact ${artifactVersion}`]),
  ];
  const { tone, badge, text } =
    "refusal" in answer
      ? { tone: "failed", badge: "refused", text: answer.refusal }
      : outcomeOf(answer.message);
  return (
    <>
      <span className={`badge ${tone}`}>{badge}</span>
      {text !== "" && <span>{text}</span>}
      <span className="quiet">{meta.join(" · ")}</span>
    </>
  );
}

function outcomeOf(message: ResponseMessage): { tone: string; badge: string; text: string } {
  if (message.kind === "error")
    return { tone: "failed", badge: message.code, text: message.message };
  if (message.kind === "result") return { tone: "ok", badge: "ok", text: "" };
  const { passed, reason = "" } = message.result;
  return passed
    ? { tone: "ok", badge: "passed", text: reason }
    : { tone: "warn", badge: "not passed", text: reason };
}

function Message({ message }: { message: ResponseMessage }) {
  if (message.kind === "result") return <Json label="Output" value={message.output} />;
  if (message.kind === "check-result") return <Json label="Result" value={message.result} />;
  const { issues = [], cause } = message;
  return (
    <>
      {issues.length > 0 && <IssueList issues={issues} />}
      {cause !== undefined && <Cause cause={cause} />}
    </>
  );
}

function IssueList({ issues }: { issues: readonly Issue[] }) {
  return (
    <ul className="issues" aria-label="Issues">
      {issues.map((issue, i) => (
        <li key={i}>
          <code>{issue.instancePath === "" ? "(the whole value)" : issue.instancePath}</code>{" "}
          {issueText(issue)}
        </li>
      ))}
    </ul>
  );
}

function Cause({ cause }: { cause: unknown }) {
  const stack = typeof cause === "object" && cause && "stack" in cause ? cause.stack : undefined;
  return <Json label="Cause" value={cause} text={typeof stack === "string" ? stack : undefined} />;
}

/** A value as text; long ones scroll. */
export function Json({
  label,
  value,
  text,
}: {
  label: string;
  value: unknown;
  text?: string | undefined;
}) {
  return (
    <pre className="json" role="group" aria-label={label} tabIndex={0}>
      {text ?? JSON.stringify(value, null, 2)}
    </pre>
  );
}
