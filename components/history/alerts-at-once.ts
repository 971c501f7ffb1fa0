/** How many alerts a dashboard lists at first, and how many more after each click on the button below them. */
export const alertsAtOnce = 100;
