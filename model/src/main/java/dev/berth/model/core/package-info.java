/**
 * Typed views of pods and nodes and of what all objects have: records read from a tree once per
 * revision, holding what Berth uses. Where only a few fields of many objects are looked at, a view
 * is a record around the tree that reads each field when it is asked for ({@link
 * dev.berth.model.core.PodTree}).
 *
 * <p>Views read what is stored, so they do not judge it. A word that is none of the known ones (an
 * effect, an operator, a phase) reads as {@code UNKNOWN}, which matches nothing and causes nothing,
 * and a malformed time or amount reads as absent: one odd object must not stop a controller that
 * looks after all the others. A value of the wrong JSON kind is a {@link
 * dev.berth.model.tree.JsonException}: the API server's schemas keep those out of every store.
 */
@NullMarked
package dev.berth.model.core;

import org.jspecify.annotations.NullMarked;
