type City = 'Lisbon' | 'Oslo' | 'Rome';

/** The forecast for a city. Always the same, so that the sample needs no network. */
export function forecast(args: { city: City; day: string }) {
  const sky = { Lisbon: 'sunny, 24 °C', Oslo: 'light snow, -2 °C', Rome: 'cloudy, 19 °C' }[args.city];
  return `${args.city} on ${args.day}: ${sky}`;
}

/** Free half days of this week, earliest first. */
export function freeSlots(args: { /** How many to list. */ limit?: number }) {
  return ['Tuesday afternoon', 'Thursday morning', 'Friday afternoon'].slice(0, args.limit ?? 3).join(', ');
}
