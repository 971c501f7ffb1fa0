/** Joins the class names that apply. Later ones do not override earlier ones: keep variants disjoint. */
export function classNames(...parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(' ');
}
