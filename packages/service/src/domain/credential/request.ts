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

type RequestedCredential = Omit<CredentialRequest, "children"> & { children?: RequestedCredential[] };

/** Parses the requests of a call. `root` is the name of their member, used in the paths of problems. */
export function toRequestTree(requests: CredentialRequest[], root: string): RequestTree {
  const problems = problemsIn(requests, root);
  if (problems.length > 0) return { kind: "problems", problems };
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
function toNode(request: RequestedCredential): RequestNode {
  return {
    type: request.type,
    // `required` is the v1 name. If both are given, `mandatory` wins.
    mandatory: request.mandatory ?? (request.required === true ? "yes" : "no"),
    multi: false,
    ...(request.description === undefined ? {} : { description: request.description }),
    allowUserInput: request.allowUserInput ?? true,
    issuers: (request.issuers ?? []).map((uuid) => uuid.toLowerCase()),
    ...(request.children && request.children.length > 0 ? { children: request.children.map(toNode) } : {}),
  };
}

function problemsIn(siblings: RequestedCredential[], path: string, parent?: CredentialType): RequestProblem[] {
  return siblings.flatMap((request, index) => {
    const here = `${path}.${index}`;
    // Children of a misplaced credential were not validated by the schema, so do not check them.
    if (parent && !childTypes(parent).includes(request.type)) {
      return [{ path: `${here}.type`, message: `${request.type} is not a child of ${parent}` }];
    }
    const problems = childrenProblems(request, here);
    if (siblings.findIndex((other) => other.type === request.type) < index) {
      problems.unshift({ path: `${here}.type`, message: `${request.type} is requested twice` });
    }
    return problems;
  });
}

function childrenProblems({ type, children }: RequestedCredential, here: string): RequestProblem[] {
  const path = `${here}.children`;
  // An empty list means the same as none.
  if (!children || children.length === 0) return [];
  if (!isComposite(type)) return [{ path, message: `${type} has no children` }];
  return problemsIn(children, path, type);
}
