import { Component } from "react";
import type { ReactNode } from "react";
import Form from "@rjsf/core/lib/components/Form.js";
import { getDefaultFormState } from "@rjsf/utils";
import type {
  IconButtonProps,
  MultiSchemaFieldTemplateProps,
  RJSFSchema,
  TemplatesType,
} from "@rjsf/utils";
import type { Issue } from "../../src/protocol.ts";
import { errorsByField } from "./issues.ts";
import { validator } from "./validator.ts";

function iconButton(text: string, label: string) {
  return function IconButton({ onClick, disabled, id, title }: IconButtonProps) {
    return (
      <button
        type="button"
        className="icon"
        id={id}
        onClick={onClick}
        disabled={disabled}
        aria-label={title ?? label}
      >
        {text}
      </button>
    );
  };
}

/** What an `anyOf` or `oneOf` leaves to choose from. The library's own has no label. */
function Choice({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className="panel">
      <label className="choice">
        <span className="quiet">One of</span>
        {selector}
      </label>
      {optionSchemaField}
    </div>
  );
}

const templates: Partial<Omit<TemplatesType, "ButtonTemplates">> & {
  ButtonTemplates: Partial<TemplatesType["ButtonTemplates"]>;
} = {
  MultiSchemaFieldTemplate: Choice,
  ButtonTemplates: {
    AddButton: iconButton("+ Add", "Add an item"),
    RemoveButton: iconButton("×", "Remove"),
    MoveUpButton: iconButton("↑", "Move up"),
    MoveDownButton: iconButton("↓", "Move down"),
    CopyButton: iconButton("⧉", "Copy"),
    ClearButton: iconButton("×", "Clear"),
    SubmitButton: () => null,
  },
};

export interface SchemaFormProps {
  label: string;
  schema: unknown;
  value: unknown;
  issues: readonly Issue[];
  onChange: (value: unknown) => void;
}

/** A form made from a JSON Schema. Issues stand at their fields. */
export function SchemaForm({ label, schema, value, issues, onChange }: SchemaFormProps) {
  return (
    <Fallback>
      <Form
        tagName="div"
        className="schema-form"
        idPrefix="input"
        schema={labelled(schema as RJSFSchema, label)}
        formData={value}
        validator={validator}
        templates={templates}
        extraErrors={errorsByField(issues)}
        showErrorList={false}
        noValidate
        noHtml5Validate
        onChange={({ formData }) => onChange(formData ?? null)}
      >
        <></>
      </Form>
    </Fallback>
  );
}

/** A value that is no object is one field, which needs a label. */
function labelled(schema: RJSFSchema, title: string): RJSFSchema {
  return schema.type === "object" || schema.title !== undefined ? schema : { ...schema, title };
}

/** A value to begin with: what the schema has as defaults. */
export function initialValue(schema: unknown): unknown {
  const { type } = schema as RJSFSchema;
  const empty = type === undefined || type === "object" ? {} : null;
  try {
    const given = schema as RJSFSchema;
    return getDefaultFormState(validator, given, undefined, given) ?? empty;
  } catch {
    return empty;
  }
}

/** A schema may be more than the form can show. */
class Fallback extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return <p className="quiet">No form can be made from this schema. Write the input as JSON.</p>;
  }
}
