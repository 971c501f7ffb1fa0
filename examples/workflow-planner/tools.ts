/** How long pages take, by the hour from which they take so long. Always the same, so that the sample needs no network. */
export function slowPages() {
  return ['/search 210 ms, unchanged', '/basket 1900 ms since 14:00, before 180 ms', '/pay 240 ms, unchanged'].join(
    '\n',
  );
}

/** The releases of a day. */
export function releases(args: { day: string }) {
  return [`${args.day} 9:10 search: synonyms`, `${args.day} 13:55 basket: prices with taxes of each country`].join(
    '\n',
  );
}
