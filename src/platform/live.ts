/** Wakes the live boards of an outlet once a change has committed (contract 20). `boards` holds "<board> <outletId>". */
export type Live = {
  publish(accountId: string, boards: ReadonlySet<string>): void
}
