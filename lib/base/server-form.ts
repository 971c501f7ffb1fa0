import { isRecord, type JsonObject } from './json';
import { secretKeys } from './redact';

/** Words for what forms of servers must not ask for, beside the usual names of secrets. */
const isSecret = secretKeys(['pin', 'cvv', 'iban', 'ssn']);

/** Returns the fields of a form that ask for secrets, by their names. */
export function secretFields(form: JsonObject | undefined): readonly string[] {
  return isRecord(form?.properties) ? Object.keys(form.properties).filter(isSecret) : [];
}

/** The host of an address as the browser will ask for it, so that letters of other scripts do not pass for Latin ones. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Returns scheme, host and port of an address, or the text itself if it cannot be parsed as an address. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
