/** Asks Citus how it runs statements. With the service's plan settings, each should be one task on one worker. */
import pg from "pg";
import { generalPlans } from "../../../packages/service/src/store/database.ts";

/**
 * `tasks`: the number of tasks for workers. 0: no table of the cell is used, so the queried node runs the statement.
 */
export type Plan = { text: string } & ({ tasks: number; subplans: number } | { refused: string });

const hasPlan = /^\s*(with|select|insert|update|delete|merge)\b/i;

/** The plans of the statements that have one. `schema` is a distributed schema with the service's tables. */
export async function readPlans(url: string, schema: string, texts: readonly string[]): Promise<Plan[]> {
  const options = `${generalPlans} -c search_path=${schema}`;
  const client = new pg.Client({ connectionString: url, options });
  await client.connect();
  try {
    const plans: Plan[] = [];
    for (const text of texts) if (hasPlan.test(text)) plans.push(await planOf(client, text));
    return plans;
  } finally {
    await client.end();
  }
}

async function planOf(client: pg.Client, text: string): Promise<Plan> {
  try {
    await client.query(`prepare asked as ${text}`);
    const { rows } = await client.query(
      "select cardinality(parameter_types) as count from pg_prepared_statements where name = 'asked'",
    );
    const nulls = Array.from({ length: Number(rows[0]?.count) }, () => "null").join();
    const explained = await client.query(`explain (format json) execute asked${nulls === "" ? "" : `(${nulls})`}`);
    return { text, ...countTasks(explained.rows[0]?.["QUERY PLAN"]) };
  } catch (error) {
    return { text, refused: error instanceof Error ? error.message : String(error) };
  } finally {
    await client.query("deallocate all");
  }
}

/** Sums `Task Count` over all parts of a plan. A subplan is a part whose result first goes to the coordinator. */
function countTasks(plan: unknown): { tasks: number; subplans: number } {
  if (typeof plan !== "object" || plan === null) return { tasks: 0, subplans: 0 };
  const sum = { tasks: 0, subplans: 0 };
  for (const [name, below] of Object.entries(plan)) {
    if (name === "Task Count") sum.tasks += Number(below);
    if (name === "Subplans" && Array.isArray(below)) sum.subplans += below.length;
    const { tasks, subplans } = countTasks(below);
    sum.tasks += tasks;
    sum.subplans += subplans;
  }
  return sum;
}
