/** Roles and who has them: decisions, escalation, aggregation, and the roles that are built in. */
@NullMarked
package dev.berth.access.rbac;

import org.jspecify.annotations.NullMarked;
