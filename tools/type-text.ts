/** Converts JSON Schema to TypeScript, for the keywords that our schemas use. */

export type Schema = {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  description?: string;
};

/** Writes types. For a shape in `named`, it writes the name. */
export function typeWriter(named: Record<string, Schema>) {
  const names = new Map(Object.entries(named).map(([name, schema]) => [contentOf(schema), name]));
  const nameOf = (schema: Schema) => names.get(contentOf(schema));
  /** The type itself, written out. Its parts are written by name if they have one. */
  const shapeOf = (schema: Schema): string => {
    if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "unknown";
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
    const either = schema.anyOf ?? schema.oneOf;
    if (either !== undefined) return [...new Set(either.map(typeOf))].map(inParentheses).join(" | ");
    if (schema.type === "array") return `${inParentheses(typeOf(schema.items ?? {}))}[]`;
    if (schema.type === "integer") return "number";
    return schema.type === "object" ? objectOf(schema) : (schema.type ?? "unknown");
  };
  const typeOf = (schema: Schema): string => nameOf(schema) ?? shapeOf(schema);
  const objectOf = ({ properties, required = [], additionalProperties }: Schema): string => {
    const open = `Record<string, ${typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown"}>`;
    if (properties === undefined) return open;
    const members = Object.entries(properties).map(
      ([name, schema]) =>
        `${comment(schema.description)}"${name}"${required.includes(name) ? "" : "?"}: ${typeOf(schema)}`,
    );
    const closed = `{ ${members.join("; ")} }`;
    return additionalProperties === true ? `${closed} & ${open}` : closed;
  };
  return { typeOf, shapeOf };
}

/** The schema as text, without descriptions, because they do not change the shape. */
const contentOf = (schema: Schema) =>
  JSON.stringify(schema.properties || schema.enum ? { ...schema, description: undefined } : schema);

const inParentheses = (type: string) => (/[|&]/.test(type) && !type.startsWith("{") ? `(${type})` : type);

const lineWidth = 110;

/** A doc comment with one or more paragraphs. Empty if there is no text. */
export function comment(...paragraphs: (string | undefined)[]): string {
  const said = paragraphs.map((text = "") => text.trim()).filter((text) => text !== "");
  const lines = said.flatMap((text, index) => [...(index === 0 ? [] : [""]), ...text.split("\n").flatMap(wrapped)]);
  if (lines.length < 2) return lines.map((line) => `\n/** ${line} */\n`).join("");
  return `\n/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= lineWidth) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
