import { type Env, readEnv } from './env';
import { environment } from './process-env';

/** The settings of the web process, read and checked. Code that every request runs asks ./process-env. Throws EnvError. */
export function webEnv(): Env {
  return readEnv(environment());
}
