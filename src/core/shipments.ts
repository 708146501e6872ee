/** States of a failed or canceled shipment: its sale may have another one (B-delivery-4). */
export const IN_VAIN = ['rejected', 'courier_not_found', 'cancelled'] as const
