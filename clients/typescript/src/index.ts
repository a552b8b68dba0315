export { Persona, Selfhood, type ClientOptions } from "./client.js";
export {
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  SelfhoodError,
  ServerError,
  UnreachableError,
} from "./errors.js";
export type { CallOptions } from "./request.js";
export type * as schema from "./schema.js";
export { ReplyStream, type Reply, type Said } from "./talk.js";
