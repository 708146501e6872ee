/** The notices that the partner sends to the service. */
export const STATUS_CHANGED = 'shipment.status_changed'
