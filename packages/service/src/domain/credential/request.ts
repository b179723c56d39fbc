import { type CredentialRequest, type CredentialType, compositeChildren } from "@countersign/contract/credential";

/** A requested credential in the stored format, the same for all API generations. `multi` is false on children. */
export type RequestNode = {
  type: CredentialType;
  mandatory: "yes" | "no" | "if_available";
  multi: boolean;
  description?: string;
  allowUserInput: boolean;
  /** Accepted issuers; empty: all issuers. */
  issuers: string[];
  children?: RequestNode[];
};

type RequestProblem = { path: string; message: string };
export type RequestTree = { kind: "tree"; tree: RequestNode[] } | { kind: "problems"; problems: RequestProblem[] };

type Asked = Omit<CredentialRequest, "children"> & { children?: Asked[] };

/** The maximum of an error's `data.errors`. */
const problemsMax = 50;

/** Parses the requests of a call. `root` is the name of their member, used in the paths of problems. */
export function toRequestTree(requests: CredentialRequest[], root = "credentialRequests"): RequestTree {
  const problems = problemsIn(requests, root);
  if (problems.length > 0) return { kind: "problems", problems: problems.slice(0, problemsMax) };
  return { kind: "tree", tree: requests.map((request) => ({ ...toNode(request), multi: request.multi ?? false })) };
}

/** The child types of a composite, in output order; empty for an atomic type. */
export function childTypes(type: CredentialType): readonly CredentialType[] {
  return isComposite(type) ? compositeChildren[type] : [];
}

function isComposite(type: CredentialType): type is keyof typeof compositeChildren {
  return Object.hasOwn(compositeChildren, type);
}

/** By the specification, `multi` has no effect on children, so the caller sets it on requests at the top. */
function toNode(asked: Asked): RequestNode {
  return {
    type: asked.type,
    // `required` is the v1 name. If both are given, `mandatory` wins.
    mandatory: asked.mandatory ?? (asked.required === true ? "yes" : "no"),
    multi: false,
    ...(asked.description === undefined ? {} : { description: asked.description }),
    allowUserInput: asked.allowUserInput ?? true,
    issuers: asked.issuers ?? [],
    ...(asked.children ? { children: asked.children.map(toNode) } : {}),
  };
}

function problemsIn(siblings: Asked[], path: string, parent?: CredentialType): RequestProblem[] {
  return siblings.flatMap((asked, index) => {
    const here = `${path}.${index}`;
    // Children of a misplaced credential were not validated by the schema, so do not check them.
    if (parent && !childTypes(parent).includes(asked.type)) {
      return [{ path: `${here}.type`, message: `${asked.type} is not a child of ${parent}` }];
    }
    const problems = childrenProblems(asked, here);
    if (siblings.findIndex((other) => other.type === asked.type) < index) {
      problems.unshift({ path: `${here}.type`, message: `${asked.type} is requested twice` });
    }
    return problems;
  });
}

function childrenProblems({ type, children }: Asked, here: string): RequestProblem[] {
  const path = `${here}.children`;
  if (!children) return [];
  if (!isComposite(type)) return [{ path, message: `${type} has no children` }];
  if (children.length === 0) return [{ path, message: "Use at least one child, or leave it out." }];
  return problemsIn(children, path, type);
}
