import { type CredentialRequest, type CredentialType, compositeChildren } from "@countersign/contract/credential";

/** What is asked for, in the one spelling that is stored, whatever the generation. `multi` is false on children. */
export type RequestNode = {
  type: CredentialType;
  mandatory: "yes" | "no" | "if_available";
  multi: boolean;
  description?: string;
  allowUserInput: boolean;
  /** Acceptable issuers; empty: all. */
  issuers: string[];
  children?: RequestNode[];
};

export type RequestProblem = { path: string; message: string };
export type RequestTree = { kind: "tree"; tree: RequestNode[] } | { kind: "problems"; problems: RequestProblem[] };

type Asked = Omit<CredentialRequest, "children"> & { children?: Asked[] };

/** As many as an error's `data.errors` holds. */
const problemsMax = 50;

/** Reads the wire's requests; `root` is the member they came from, as the problems' paths name it. */
export function toRequestTree(requests: CredentialRequest[], root = "credentialRequests"): RequestTree {
  const problems = problemsIn(requests, root);
  if (problems.length > 0) return { kind: "problems", problems: problems.slice(0, problemsMax) };
  return { kind: "tree", tree: requests.map((request) => toNode(request, request.multi ?? false)) };
}

/** The types a composite's children may have, in the order in which they are written out; none for an atomic type. */
export function childTypes(type: CredentialType): readonly CredentialType[] {
  return isComposite(type) ? compositeChildren[type] : [];
}

function isComposite(type: CredentialType): type is keyof typeof compositeChildren {
  return Object.hasOwn(compositeChildren, type);
}

function toNode(asked: Asked, multi: boolean): RequestNode {
  return {
    type: asked.type,
    // `required` is v1's word; where both are given, the newer one counts.
    mandatory: asked.mandatory ?? (asked.required === true ? "yes" : "no"),
    multi,
    ...(asked.description === undefined ? {} : { description: asked.description }),
    allowUserInput: asked.allowUserInput ?? true,
    issuers: asked.issuers ?? [],
    // The specification gives `multi` no effect on children.
    ...(asked.children ? { children: asked.children.map((child) => toNode(child, false)) } : {}),
  };
}

function problemsIn(siblings: Asked[], path: string, parent?: CredentialType): RequestProblem[] {
  return siblings.flatMap((asked, index) => {
    const here = `${path}.${index}`;
    // Below a misplaced one nothing was validated: only what stands where it may is looked into.
    if (parent && !childTypes(parent).includes(asked.type)) {
      return [{ path: `${here}.type`, message: `${asked.type} is not a child of ${parent}` }];
    }
    const problems = childrenProblems(asked, here);
    if (siblings.findIndex((other) => other.type === asked.type) < index) {
      problems.unshift({ path: `${here}.type`, message: `${asked.type} is asked for twice` });
    }
    return problems;
  });
}

function childrenProblems({ type, children }: Asked, here: string): RequestProblem[] {
  const path = `${here}.children`;
  if (!children) return [];
  if (!isComposite(type)) return [{ path, message: `${type} has no children` }];
  if (children.length === 0) return [{ path, message: "must name at least one child, or be left out" }];
  return problemsIn(children, path, type);
}
