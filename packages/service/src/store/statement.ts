import type { CompiledQuery, QueryResult } from "kysely";
import type { Database, Reader } from "./database.ts";

type Values = Record<string, unknown>;
type Compiled<Row> = { query: CompiledQuery<Row>; names: (string | null)[] };

/**
 * A prepared statement that runs with almost every request. Building a statement costs more than sending it. It is
 * therefore compiled once per set of defined members, and later runs only fill in the values.
 *
 * `build` receives placeholders instead of values. It may pass them on, but must not read or change them.
 */
export function statement<Given extends Values, Row>(
  build: (db: Database, values: Given) => { compile(): CompiledQuery<Row> },
): (reader: Reader, values: Given) => Promise<QueryResult<Row>> {
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
  build: (db: Database, values: Given) => { compile(): CompiledQuery<Row> },
  reader: Reader,
  members: string[],
): Compiled<Row> {
  const marks = new Map(members.map((name) => [name, Symbol(name)]));
  const nameOf = new Map<unknown, string>([...marks].map(([name, mark]) => [mark, name]));
  const query = build(reader, Object.fromEntries(marks) as Values as Given).compile();
  return { query, names: query.parameters.map((one) => nameOf.get(one) ?? null) };
}
