// What goes wrong, with the stable code that the server gives it.

/** One place of a request at fault: a JSON pointer and what is wrong there. */
export interface Fault {
  pointer: string;
  detail: string;
}

interface Circumstances {
  code?: string;
  status?: number;
  errors?: Fault[];
  requestId?: string | null;
}

/** A request that was not answered as asked. `code` is stable; `detail` says what happened and the way out. */
export class SelfhoodError extends Error {
  readonly detail: string;
  readonly code: string;
  readonly status: number;
  readonly errors: Fault[];
  /** The name of the request in the server's log. */
  readonly requestId: string | null;

  constructor(detail: string, { code = "unreachable", status = 0, errors = [], requestId = null }: Circumstances = {}) {
    super(`${detail} (${code})`);
    this.name = new.target.name;
    this.detail = detail;
    this.code = code;
    this.status = status;
    this.errors = errors;
    this.requestId = requestId;
  }
}

/** No server answered. */
export class UnreachableError extends SelfhoodError {}
/** The key is missing, unknown or lacks a scope (401, 403). */
export class AuthenticationError extends SelfhoodError {}
/** There is no such thing, or not for this speaker (404, 410). */
export class NotFoundError extends SelfhoodError {}
/** Something else changed it meanwhile (409, 412, 428). */
export class ConflictError extends SelfhoodError {}
/** The request itself is at fault, or the persona's policy refuses it (400, 413, 415, 422). */
export class InvalidRequestError extends SelfhoodError {}
/** Too many requests (429). */
export class RateLimitError extends SelfhoodError {}
/** The server, or the model it asked, failed (5xx). */
export class ServerError extends SelfhoodError {}

/** The class of an error with this HTTP status. */
export function errorClass(status: number): typeof SelfhoodError {
  if (status === 401 || status === 403) return AuthenticationError;
  if (status === 404 || status === 410) return NotFoundError;
  if (status === 409 || status === 412 || status === 428) return ConflictError;
  if (status === 429) return RateLimitError;
  return status < 500 ? InvalidRequestError : ServerError;
}

/** The error that a refused request stands for. */
export async function errorFrom(response: Response): Promise<SelfhoodError> {
  const problem = (await response.json().catch(() => ({}))) as { detail?: string; code?: string; errors?: Fault[] };
  const detail = problem.detail ?? `the server answered with status ${response.status}`;
  const requestId = response.headers.get("x-request-id");
  const { code = "unknown", errors = [] } = problem;
  return new (errorClass(response.status))(detail, { code, status: response.status, errors, requestId });
}
