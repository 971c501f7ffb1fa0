import type { Card, ChainCard } from '@/lib/cards/card';

/** A card's fields without those every card has. */
export type OwnFields<T extends Card> = Omit<T, Exclude<keyof ChainCard, 'type' | 'sequence' | 'cumulative'>>;
