/** What the partner tells the service by itself. */
export const STATUS_CHANGED = 'shipment.status_changed'
