/** How many colours a theme has that mean one thing each, and how many from little to much. */
export const CATEGORIES = 6;
export const STEPS = 5;
