/** Maximum number of media ranges of an `Accept` that are read. */
const rangesMax = 20;

/** Whether an `Accept` prefers this type to JSON. A type that is not named is not preferred. */
export function prefers(accept: string | undefined, type: string): boolean {
  const ranges = (accept ?? "").toLowerCase().split(",").slice(0, rangesMax).map(rangeOf);
  const quality = (name: string) => ranges.find((range) => range.name === name)?.quality ?? 0;
  return quality(type) > 0 && quality(type) >= quality("application/json");
}

function rangeOf(text: string): { name: string; quality: number } {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const number = quality === undefined ? 1 : Number(quality);
  return { name, quality: Number.isNaN(number) ? 0 : number };
}
