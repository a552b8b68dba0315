// One request before it is sent.

/** What a caller may say about one call. */
export interface CallOptions {
  /** Ends the call. */
  signal?: AbortSignal;
  /** Your own `Idempotency-Key`; the client makes one where the server takes it. */
  idempotencyKey?: string;
  /** More headers, such as `If-Match` for a file. */
  headers?: Record<string, string>;
}

/** A method, a path, and what goes with them. */
export interface Request {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: Record<string, unknown>;
  body?: unknown;
  /** Whether the server takes an `Idempotency-Key` here. */
  isKeyed?: boolean;
  /** Whether it is a POST that only reads. */
  isRead?: boolean;
}

/** How often a request is sent again that did not get through. */
export const RETRIES = 2;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;

/** `value` as one segment of a path. */
export function inPath(value: string): string {
  if (value === "") throw new TypeError("a name in a path must not be empty");
  return encodeURIComponent(value);
}

/** `value` as the rest of a path, whose slashes stay. */
export function wholePath(value: string): string {
  return value.split("/").map(encodeURIComponent).join("/");
}

/** The path with its query; what is undefined or null is left out. */
export function target(request: Request): string {
  const given = Object.entries(request.query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === "" ? request.path : `${request.path}?${query}`;
}

/** How many milliseconds to wait before a repetition; undefined when it is not worth it. */
export function pause(attempt: number, retryAfter: string | null): number | undefined {
  const seconds = retryAfter === null ? Number.NaN : Number(retryAfter);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : FIRST_PAUSE * 2 ** attempt;
  return wait <= LONGEST_PAUSE ? wait : undefined;
}
