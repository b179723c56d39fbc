import { type CompiledQuery, type QueryResult, type RawBuilder, sql } from "kysely";
import type { AnyReader } from "../database.ts";

type Values = Record<string, unknown>;
/** Placeholders for the values of a statement while it is built. The values are unknown then. */
export type Placeholders<Given> = { [Name in keyof Given]: RawBuilder<Given[Name]> };
type Builder<Given, Row> = (db: AnyReader, values: Placeholders<Given>) => { compile(): CompiledQuery<Row> };
type Compiled<Row> = { query: CompiledQuery<Row>; names: (string | null)[] };

/**
 * A prepared statement for frequent use. Building a statement costs more than sending it, so it is compiled once per
 * set of defined members, and later runs only fill in values.
 */
export function statement<Given extends Values, Row>(
  build: Builder<Given, Row>,
): (reader: AnyReader, values: Given) => Promise<QueryResult<Row>> {
  const compiled = new Map<string, Compiled<Row>>();
  return async (reader, values) => {
    const members = Object.keys(values).filter((name) => values[name] !== undefined);
    const shape = members.join();
    let known = compiled.get(shape);
    if (known === undefined) {
      known = compile(build, reader, members);
      compiled.set(shape, known);
    }
    const { query, names } = known;
    const parameters = names.map((name, at) => (name === null ? query.parameters[at] : values[name]));
    return await reader.executeQuery({ ...query, parameters });
  };
}

function compile<Given extends Values, Row>(
  build: Builder<Given, Row>,
  reader: AnyReader,
  members: string[],
): Compiled<Row> {
  const marks = new Map(members.map((name) => [name, Symbol(name)]));
  const nameOf = new Map<unknown, string>([...marks].map(([name, mark]) => [mark, name]));
  const placeholders = Object.fromEntries([...marks].map(([name, mark]) => [name, sql`${mark}`]));
  const query = build(reader, placeholders as Placeholders<Given>).compile();
  return { query, names: query.parameters.map((one) => nameOf.get(one) ?? null) };
}
