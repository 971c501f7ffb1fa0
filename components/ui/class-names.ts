/**
 * Joins the class names that apply. Later ones do not override earlier ones, so variants must not set the same property.
 */
export function classNames(...parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(' ');
}
