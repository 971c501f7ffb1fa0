/** A dashboard lists so many alerts at first, and so many more with each click. */
export const alertsAtOnce = 100;
